// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_dial.h"

#include "agent/store/pg_error.h"

#include <libpq-fe.h>

#include <array>
#include <utility>

namespace weir::store {

void PgClose::operator()(pg_conn* connection) const
{
    PQfinish(connection);
}

PgDial::PgDial(const PgTarget& target)
    : m_target(target)
{
}

PgDial::~PgDial()
{
    if (m_thread.joinable()) m_thread.join();
}

Result<PgHandle> PgDial::connect(std::chrono::milliseconds atMost)
{
    std::unique_lock lock(m_mutex);
    if (!m_thread.joinable()) {
        m_isOver = false;
        m_thread = std::thread([this] { run(); });
    }
    m_done.wait_for(lock, atMost, [this] { return m_isOver || m_isHungUp; });
    if (!m_isOver) {
        return fail(
            "unreachable",
            m_target.place,
            "unreachable: no answer within " + std::to_string(atMost.count()) + " ms");
    }
    lock.unlock();
    m_thread.join();
    PgHandle connection = std::move(m_connection);
    if (!connection) return fail("unreachable", m_target.place, "out of memory");
    if (PQstatus(connection.get()) != CONNECTION_OK) {
        return tl::unexpected(errorOf(connection.get(), m_target.place));
    }
    return connection;
}

void PgDial::hangUp()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isHungUp = true;
    }
    m_done.notify_one();
}

void PgDial::run()
{
    const std::string url{m_target.url.reveal()};
    // What stands before dbname, which the URL is, the URL may say otherwise.
    const std::array<const char*, 10> keywords{
        "connect_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
        "fallback_application_name",
        "dbname",
        "client_encoding",
        nullptr};
    const std::array<const char*, 10> values{
        "5", "10", "5", "3", "10000", m_target.application.c_str(), url.c_str(), "UTF8", nullptr};
    PgHandle connection(PQconnectdbParams(keywords.data(), values.data(), 1));
    {
        const std::scoped_lock lock(m_mutex);
        m_connection = std::move(connection);
        m_isOver = true;
    }
    m_done.notify_one();
}

} // namespace weir::store
