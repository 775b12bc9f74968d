// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/store_address.h"

#include <QString>

#include <memory>
#include <string>

struct pg_conn;

namespace weir::test {

/// A real store on the server of WEIR_TEST_POSTGRES: a database of its own with the shipped schema
/// and the first rows, gone with the object.
class ServerStore final
{
public:
    ServerStore();
    ~ServerStore();
    ServerStore(const ServerStore&) = delete;
    ServerStore& operator=(const ServerStore&) = delete;

    [[nodiscard]] const model::StoreAddress& address() const { return m_address; }

    /// Statements without values; fails the program where one fails.
    void run(const std::string& sql);
    /// The first value of the first row, as text.
    [[nodiscard]] QString value(const std::string& sql);
    /// A user that is in this role.
    [[nodiscard]] QString login(const std::string& role);
    /// Turns the switch as another console would.
    void turn(const std::string& mode, const std::string& by, const std::string& reason);
    /// Stands in for an agent that runs the newest switch.
    void
    acknowledge(const std::string& agent, const std::string& mode, const std::string& modeReason);
    /// Nine calls of model m at provider p, four of them good, three of them 429.
    void addHistory(const std::string& table, std::int64_t startedAtMs, const std::string& task);

private:
    struct Close
    {
        void operator()(pg_conn* connection) const;
    };

    using Connection = std::unique_ptr<pg_conn, Close>;

    Connection m_server;
    Connection m_db;
    model::StoreAddress m_address;
};

} // namespace weir::test
