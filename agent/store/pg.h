// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/pg_wire.h"
#include "agent/store/sql.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace weir::store {

class PgStatement;

/// The driver for Postgres: a connection that is made when it is needed, and again, with growing
/// pauses, when it was lost. Meanwhile every call fails at once and says why. A transaction never
/// spans two connections: it fails to its end once its own was lost.
class PgConnection final : public SqlConnection
{
public:
    /// Makes sure of the schema, on each new connection.
    using OnConnect = std::function<Status<>(PgConnection& db)>;

    PgConnection(PgTarget target, OnConnect onConnect);
    ~PgConnection() override;
    PgConnection(const PgConnection&) = delete;
    PgConnection& operator=(const PgConnection&) = delete;

    [[nodiscard]] Dialect dialect() const override { return Dialect::Postgres; }

    [[nodiscard]] const PgTarget& target() const { return m_target; }

    [[nodiscard]] PreparedStatement& prepare(std::string_view sql) override;
    [[nodiscard]] Status<> script(const std::string& sql) override;

    [[nodiscard]] std::int64_t changes() const override { return m_changes; }

    [[nodiscard]] Status<> begin(std::string_view table) override;
    [[nodiscard]] Status<> commit() override;
    void rollback() override;
    [[nodiscard]] Result<bool> awaitChange(std::chrono::milliseconds atMost) override;
    void wake() override;
    void hangUp() override;

    /// COPY … FROM STDIN: how many rows went in.
    [[nodiscard]] Result<std::int64_t> copyIn(
        const std::string& sql,
        const PgWire::NextPiece& nextPiece,
        const std::function<void()>& meanwhile = {});
    /// For what is known to take long; until the connection is lost.
    void setDeadline(std::chrono::milliseconds deadline);

    /// Counts connections: what was known on an earlier one may not hold any more.
    [[nodiscard]] std::int64_t serial() const { return m_serial; }

private:
    friend class PgStatement;

    /// The connection, made where there is none.
    [[nodiscard]] Result<PgWire*> wire();
    [[nodiscard]] Result<PgWire*> connect();
    [[nodiscard]] Status<> setUp();
    [[nodiscard]] Status<> listen();
    void putOff(const Error& trouble);

    PgTarget m_target;
    OnConnect m_onConnect;
    PgDial m_dial;
    std::unique_ptr<PgWire> m_wire;
    std::map<std::string, std::unique_ptr<PgStatement>, std::less<>> m_statements;
    std::int64_t m_serial = 0;
    std::int64_t m_changes = 0;
    bool m_isConnecting = false;
    bool m_inTransaction = false;
    bool m_listens = false;
    int m_wakeFd = -1;
    /// Stays readable once somebody has hung up.
    int m_hangUpFd = -1;
    std::atomic<bool> m_isHungUp{false};

    /// Why there was none at the last try, and when the next one is due.
    std::optional<Error> m_trouble;
    Instant m_nextTry{};
    std::chrono::milliseconds m_pause{0};
    std::minstd_rand m_random;
};

} // namespace weir::store
