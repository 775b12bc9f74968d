// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/profile_desk.h"

#include "app/model/format.h"

#include <QPointer>
#include <QUrl>

namespace weir::model {

ProfileDesk::ProfileDesk(Profiles profiles, SecretKeeper& keeper, QObject* parent)
    : QObject(parent)
    , m_profiles(std::move(profiles))
    , m_keeper(keeper)
{
}

void ProfileDesk::save(Profile profile, const QString& password)
{
    const auto known = m_profiles.find(profile.name);
    profile.isPasswordKept = known && known->isPasswordKept;
    const Status<> saved = m_profiles.save(profile);
    if (!saved || password.isEmpty()) {
        end(saved);
        return;
    }
    const QPointer<ProfileDesk> self(this);
    m_keeper.write(profile.name, password, [self, profile](const Status<>& kept) mutable {
        if (!self) return;
        if (!kept) {
            self->end(kept);
            return;
        }
        profile.isPasswordKept = true;
        self->end(self->m_profiles.save(profile));
    });
}

void ProfileDesk::forgetPassword(Profile profile)
{
    const QPointer<ProfileDesk> self(this);
    m_keeper.remove(profile.name, [self, profile](const Status<>& gone) mutable {
        if (!self) return;
        profile.isPasswordKept = !gone;
        const Status<> saved = self->m_profiles.save(profile);
        self->end(gone ? saved : gone);
    });
}

void ProfileDesk::remove(const Profile& profile)
{
    const QPointer<ProfileDesk> self(this);
    const auto removeIt = [self, name = profile.name](const Status<>& gone) {
        if (!self) return;
        // A password that nobody could find again must not stay behind.
        self->end(gone ? self->m_profiles.remove(name) : gone);
    };
    profile.isPasswordKept ? m_keeper.remove(profile.name, removeIt) : removeIt({});
}

void ProfileDesk::end(const Status<>& outcome)
{
    m_trouble = outcome ? QString() : plain(outcome.error().text());
    emit changed();
}

void ProfileDesk::fetchUrl(
    const Profile& profile, SecretKeeper& keeper, std::function<void(QString)> done)
{
    if (!profile.isPasswordKept) {
        done(profile.store);
        return;
    }
    keeper.read(
        profile.name, [store = profile.store, done = std::move(done)](const Result<QString>& read) {
            QUrl url(store, QUrl::StrictMode);
            // Without it libpq looks in its own places, and the store says what it misses.
            if (read) url.setPassword(*read, QUrl::DecodedMode);
            done(read ? QString::fromLatin1(url.toEncoded()) : store);
        });
}

} // namespace weir::model
