// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/keychain.h"

#include <qt6keychain/keychain.h>

namespace weir::link {
namespace {

const QString kService = QStringLiteral("weir-console");

Error troubleOf(const QKeychain::Job& job)
{
    if (job.error() == QKeychain::EntryNotFound) {
        return {"no_secret", kService.toStdString(), "the keychain has no password for it"};
    }
    QString text = job.errorString().trimmed();
    if (text.isEmpty()) text = QStringLiteral("error %1").arg(static_cast<int>(job.error()));
    return {"keychain", kService.toStdString(), text.toStdString()};
}

Status<> outcomeOf(const QKeychain::Job& job)
{
    if (job.error() == QKeychain::NoError) return {};
    return tl::unexpected<Error>(troubleOf(job));
}

} // namespace

void Keychain::read(const QString& key, std::function<void(Result<QString>)> done)
{
    auto* job = new QKeychain::ReadPasswordJob(kService, this);
    job->setKey(key);
    connect(job, &QKeychain::Job::finished, this, [job, done = std::move(done)] {
        const Status<> outcome = outcomeOf(*job);
        done(outcome ? Result<QString>(job->textData()) : tl::unexpected<Error>(outcome.error()));
    });
    job->start();
}

void Keychain::write(const QString& key, const QString& secret, std::function<void(Status<>)> done)
{
    auto* job = new QKeychain::WritePasswordJob(kService, this);
    job->setKey(key);
    job->setTextData(secret);
    connect(job, &QKeychain::Job::finished, this, [job, done = std::move(done)] {
        done(outcomeOf(*job));
    });
    job->start();
}

void Keychain::remove(const QString& key, std::function<void(Status<>)> done)
{
    auto* job = new QKeychain::DeletePasswordJob(kService, this);
    job->setKey(key);
    connect(job, &QKeychain::Job::finished, this, [job, done = std::move(done)] {
        const Status<> outcome = outcomeOf(*job);
        const bool isGone = !outcome && outcome.error().code == "no_secret";
        done(isGone ? Status<>{} : outcome);
    });
    job->start();
}

} // namespace weir::link
