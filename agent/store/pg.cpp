// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg.h"

#include "agent/net/clock.h"
#include "agent/store/pg_statement.h"

#include <libpq-fe.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace weir::store {
namespace {

constexpr std::chrono::milliseconds kFirstPause{100};
/// After that long everybody has heard that the server is back.
constexpr std::chrono::milliseconds kLongestPause{2000};
constexpr std::chrono::milliseconds kIdleInTransaction{5000};

std::string ms(std::chrono::milliseconds time)
{
    return std::to_string(time.count());
}

} // namespace

PgConnection::PgConnection(PgTarget target, OnConnect onConnect)
    : m_target(std::move(target))
    , m_onConnect(std::move(onConnect))
    , m_dial(m_target)
    , m_wakeFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    , m_hangUpFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    , m_random(std::random_device{}())
{
}

PgConnection::~PgConnection()
{
    for (const int each : {m_wakeFd, m_hangUpFd}) {
        if (each >= 0) ::close(each);
    }
}

Result<PgWire*> PgConnection::wire()
{
    if (m_isHungUp) return fail("unreachable", m_target.place, "nobody waits for it any more");
    if (m_wire && m_wire->isAlive()) return m_wire.get();
    if (m_inTransaction || m_isConnecting) {
        return fail("unreachable", m_target.place, "the connection was lost in the middle");
    }
    m_wire.reset();
    return connect();
}

Result<PgWire*> PgConnection::connect()
{
    if (m_trouble && net::monotonicNow() < m_nextTry) return tl::unexpected(*m_trouble);
    Result<PgHandle> handle = m_dial.connect(std::min(m_target.deadline, m_target.connecting));
    if (!handle) {
        putOff(handle.error());
        return tl::unexpected(handle.error());
    }
    m_wire = std::make_unique<PgWire>(std::move(*handle), m_target, m_hangUpFd);
    m_listens = false;
    ++m_serial;
    m_isConnecting = true;
    const Status<> ready = setUp();
    m_isConnecting = false;
    if (!ready) {
        m_wire.reset();
        putOff(ready.error());
        return tl::unexpected(ready.error());
    }
    m_trouble.reset();
    m_pause = {};
    return m_wire.get();
}

/// How often somebody may ask a server that is down; with chance, so that a fleet does not ask all
/// at once.
void PgConnection::putOff(const Error& trouble)
{
    m_trouble = trouble;
    m_pause = std::clamp(m_pause * 2, kFirstPause, kLongestPause);
    m_nextTry = net::monotonicNow() + m_pause / 2 +
                std::chrono::milliseconds{m_random() % (m_pause / 2).count()};
}

Status<> PgConnection::setUp()
{
    // A lock that is not to be had is told of before the deadline, which would cost the connection.
    // Whoever stands still in a transaction, stopped or cut off, must not hold up the others; and
    // the server shall not work on for whoever has left. Plans are made for the values at hand (a
    // filter that matches nothing needs another one than a filter that matches all), and never
    // compiled, which takes longer than any of these statements.
    const Result<PgResult> set = m_wire->run(
        "SET TIME ZONE 'UTC'; SET jit = off; SET plan_cache_mode = force_custom_plan; "
        "SET lock_timeout = " +
        ms(m_target.deadline * 2 / 3) +
        "; SET idle_in_transaction_session_timeout = " + ms(kIdleInTransaction) +
        "; SELECT set_config(name, '2s', false) FROM pg_settings "
        "WHERE name = 'client_connection_check_interval'");
    if (!set) return tl::unexpected(set.error());
    return m_onConnect(*this);
}

PreparedStatement& PgConnection::prepare(std::string_view sql)
{
    auto found = m_statements.find(sql);
    if (found == m_statements.end()) {
        auto statement = std::make_unique<PgStatement>(*this, sql, m_statements.size());
        found = m_statements.emplace(std::string{sql}, std::move(statement)).first;
    }
    return *found->second;
}

Status<> PgConnection::script(const std::string& sql)
{
    const Result<PgWire*> wire = this->wire();
    if (!wire) return tl::unexpected(wire.error());
    const Result<PgResult> done = (*wire)->run(sql);
    if (!done) return tl::unexpected(done.error());
    return {};
}

Status<> PgConnection::begin(std::string_view table)
{
    const Result<PgWire*> wire = this->wire();
    if (!wire) return tl::unexpected(wire.error());
    std::string sql = "BEGIN";
    if (!table.empty()) {
        // It lets readers pass, and nobody who writes.
        sql.append("; LOCK TABLE ").append(table).append(" IN SHARE ROW EXCLUSIVE MODE");
    }
    m_inTransaction = true;
    const Result<PgResult> begun = (*wire)->run(sql);
    if (begun) return {};
    rollback();
    return tl::unexpected(begun.error());
}

Status<> PgConnection::commit()
{
    const Result<PgWire*> wire = this->wire();
    if (!wire) return tl::unexpected(wire.error());
    const Result<PgResult> done = (*wire)->run("COMMIT");
    if (!done) return tl::unexpected(done.error());
    m_inTransaction = false;
    // After an error inside, it ends the transaction all the same, and says so only here.
    if (std::string_view{PQcmdStatus(done->get())} == "COMMIT") return {};
    return fail("store", m_target.place, "nothing was written, since a part of it had failed");
}

void PgConnection::rollback()
{
    if (!m_inTransaction) return;
    m_inTransaction = false;
    if (m_wire && m_wire->isAlive() && !m_wire->run("ROLLBACK")) m_wire.reset();
}

Status<> PgConnection::listen()
{
    if (m_listens) return {};
    // Not weir_agent: a turn of the switch would have each agent of a fleet look again for each
    // other one that acknowledges it.
    const Result<PgResult> done =
        m_wire->run("LISTEN weir_switch; LISTEN weir_settings; LISTEN weir_summary");
    if (!done) return tl::unexpected(done.error());
    m_listens = true;
    return {};
}

Result<bool> PgConnection::awaitChange(std::chrono::milliseconds atMost)
{
    const Result<PgWire*> wire = this->wire();
    if (!wire) return tl::unexpected(wire.error());
    if (!m_listens) {
        if (const Status<> listens = listen(); !listens) return tl::unexpected(listens.error());
        // Who knows what happened before.
        return true;
    }
    Result<bool> changed = (*wire)->awaitNotification(atMost, m_wakeFd);
    ::eventfd_t times = 0;
    static_cast<void>(::eventfd_read(m_wakeFd, &times));
    return changed;
}

void PgConnection::wake()
{
    static_cast<void>(::eventfd_write(m_wakeFd, 1));
}

void PgConnection::hangUp()
{
    m_isHungUp = true;
    static_cast<void>(::eventfd_write(m_hangUpFd, 1));
    m_dial.hangUp();
}

Result<std::int64_t> PgConnection::copyIn(
    const std::string& sql,
    const PgWire::NextPiece& nextPiece,
    const std::function<void()>& meanwhile)
{
    const Result<PgWire*> wire = this->wire();
    if (!wire) return tl::unexpected(wire.error());
    return (*wire)->copyIn(sql, nextPiece, meanwhile);
}

void PgConnection::setDeadline(std::chrono::milliseconds deadline)
{
    if (m_wire) m_wire->setDeadline(deadline);
}

} // namespace weir::store
