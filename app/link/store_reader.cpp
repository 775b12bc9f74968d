// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_reader.h"

#include "app/link/switch_writer.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>

namespace weir::link {
namespace {

/// Older history comes in minutes: a day then has 1,440 rows a route instead of 8,640.
constexpr auto kFineLength = std::chrono::hours{1};
constexpr int kAuditRows = 100;
/// How long after a write the acknowledgements are watched closely, in polls.
constexpr int kQuickPolls = 60;

QDateTime birthOf(const model::StoreAddress& address)
{
    if (address.kind != model::StoreAddress::Kind::Sqlite) return {};
    return QFileInfo(address.path).fileTime(QFileDevice::FileBirthTime);
}

} // namespace

StoreReader::StoreReader(StoreOptions options)
    : m_options(std::move(options))
{
}

void StoreReader::start()
{
    // Made here, because a timer belongs to the thread that starts it.
    m_timer = std::make_unique<QTimer>();
    connect(m_timer.get(), &QTimer::timeout, this, &StoreReader::poll);
    m_timer->start(m_options.pollMs);
    poll();
}

void StoreReader::retryNow()
{
    poll();
}

void StoreReader::turn(const SwitchChange& change)
{
    m_unresolved.reset();
    const SwitchOutcome outcome = writeSwitch(m_options, change);
    if (outcome.kind == SwitchOutcome::Kind::Unknown) m_unresolved = change;
    emit settled(outcome);
    m_quickPolls = kQuickPolls;
    m_timer->start(m_options.quickPollMs);
    poll();
}

void StoreReader::readHistory(UtcTime from, UtcTime to)
{
    m_wanted.push_back({from, to});
    if (m_connection) answerHistory();
}

void StoreReader::resolve()
{
    if (!m_unresolved) return;
    const auto outcome = resolveSwitch(m_options, *m_unresolved);
    if (!outcome) return;
    m_unresolved.reset();
    emit settled(*outcome);
}

void StoreReader::poll()
{
    if (m_quickPolls > 0 && --m_quickPolls == 0) m_timer->start(m_options.pollMs);
    resolve();
    QElapsedTimer watch;
    watch.start();
    Status<> done = connectIfNeeded();
    if (done) done = readAll();
    if (!done) {
        const Error error = m_connection ? m_connection->explained(done.error()) : done.error();
        m_connection.reset();
        emit lost(QString::fromStdString(error.text()));
        return;
    }
    emit reached(static_cast<double>(watch.nsecsElapsed()) / 1e6);
    answerHistory();
}

Status<> StoreReader::connectIfNeeded()
{
    const QDateTime born = birthOf(m_options.address);
    if (m_connection && born == m_born) return {};
    m_connection.reset();
    auto opened = StoreConnection::open(m_options, Access::ReadOnly);
    if (!opened) return tl::unexpected<Error>(opened.error());
    m_connection = std::move(*opened);
    m_born = born;
    return {};
}

Status<> StoreReader::readAll()
{
    const QSqlDatabase db = m_connection->db();
    m_connection->limitAnswer();
    const auto row = readSwitch(db);
    if (!row) return tl::unexpected<Error>(row.error());
    if (!m_switch || *m_switch != *row) {
        m_switch = *row;
        const auto audit = readSwitchAudit(db, kAuditRows);
        if (!audit) return tl::unexpected<Error>(audit.error());
        emit auditRead(*audit);
        emit switchRead(*row);
    }
    const auto settings = readSettings(db);
    if (!settings) return tl::unexpected<Error>(settings.error());
    if (!m_settings || *m_settings != *settings) {
        m_settings = *settings;
        emit settingsRead(*settings);
    }
    auto agents = readAgents(db);
    if (!agents) return tl::unexpected<Error>(agents.error());
    if (m_agents != *agents) {
        m_agents = std::move(*agents);
        emit agentsRead(m_agents);
    }
    m_connection->endLimit();
    return {};
}

void StoreReader::answerHistory()
{
    const auto wanted = std::exchange(m_wanted, {});
    for (const Stretch& stretch : wanted) {
        const QSqlDatabase db = m_connection->db();
        m_connection->limitAnswer();
        const UtcTime fine = std::max(stretch.from, stretch.to - kFineLength);
        if (fine > stretch.from) {
            const auto minutes = readSlices(db, Step::Minute, stretch.from, fine);
            if (minutes) emit historyRead(*minutes, stretch.from, fine, 60'000);
        }
        const auto slices = readSlices(db, Step::TenSeconds, fine, stretch.to);
        if (slices) emit historyRead(*slices, fine, stretch.to, 10'000);
    }
    m_connection->endLimit();
    if (!wanted.empty()) emit historyComplete();
}

} // namespace weir::link
