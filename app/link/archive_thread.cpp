// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/archive_thread.h"

#include "agent/store/open.h"

#include <QDateTime>
#include <QFileInfo>

#include <mutex>
#include <utility>

namespace weir::link {
namespace {

constexpr std::string_view kFile = "sqlite:";

QDateTime birthOf(const std::string& url)
{
    if (!url.starts_with(kFile)) return {};
    const QString path = QString::fromStdString(url.substr(kFile.size()));
    return QFileInfo(path).fileTime(QFileDevice::FileBirthTime);
}

} // namespace

class ArchiveThread::Worker final : public QObject
{
public:
    explicit Worker(std::string url)
        : m_url(std::move(url))
    {
    }

    void run(const Job& job, const Dropped& dropped, QObject* asker)
    {
        if (*dropped) return;
        Show show = job(database());
        QMetaObject::invokeMethod(asker, std::move(show), Qt::QueuedConnection);
    }

    /// Any thread.
    void hangUp()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_database) m_database->hangUp();
    }

private:
    Result<store::Database*> database()
    {
        const QDateTime born = birthOf(m_url);
        if (m_database && born == m_born) return m_database.get();
        store::OpenOptions options;
        options.mode = store::OpenMode::Existing;
        options.use = store::Use::Tool;
        auto opened = store::open(m_url, {}, options);
        const std::scoped_lock lock(m_mutex);
        m_database.reset();
        if (!opened) return tl::unexpected(opened.error());
        m_database = std::move(*opened);
        m_born = born;
        return m_database.get();
    }

    std::string m_url;
    QDateTime m_born;
    /// Of the pointer, which another thread reads to hang up.
    std::mutex m_mutex;
    std::unique_ptr<store::Database> m_database;
};

void ArchiveThread::start(const std::string& storeUrl)
{
    start(m_reads, storeUrl);
    start(m_writes, storeUrl);
    for (Waiting& each : std::exchange(m_waiting, {}))
        post(each.lane, std::move(each.job), std::move(each.dropped));
}

ArchiveThread::~ArchiveThread()
{
    stop(m_reads);
    stop(m_writes);
}

void ArchiveThread::start(Thread& lane, const std::string& storeUrl)
{
    lane.worker = new Worker(storeUrl);
    lane.worker->moveToThread(&lane.thread);
    connect(&lane.thread, &QThread::finished, lane.worker, &QObject::deleteLater);
    lane.thread.setObjectName(QStringLiteral("archive"));
    lane.thread.start();
}

void ArchiveThread::stop(Thread& lane)
{
    if (lane.worker == nullptr) return;
    lane.thread.quit();
    lane.worker->hangUp();
    lane.thread.wait();
}

void ArchiveThread::post(Lane lane, Job job, Dropped dropped)
{
    if (m_reads.worker == nullptr) {
        m_waiting.push_back({lane, std::move(job), std::move(dropped)});
        return;
    }
    Worker* worker = lane == Lane::Read ? m_reads.worker : m_writes.worker;
    QMetaObject::invokeMethod(
        worker,
        [this, worker, job = std::move(job), dropped = std::move(dropped)] {
            worker->run(job, dropped, this);
        },
        Qt::QueuedConnection);
}

} // namespace weir::link
