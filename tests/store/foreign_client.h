// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <filesystem>
#include <memory>
#include <string>

namespace weir::tests {

/// What another program does with a store: its own connection, plain SQL.
class ForeignClient final
{
public:
    /// To the store that openStore() opens at the path.
    explicit ForeignClient(const std::filesystem::path& path);
    /// To a Postgres.
    explicit ForeignClient(const std::string& url);
    ~ForeignClient();
    ForeignClient(const ForeignClient&) = delete;
    ForeignClient& operator=(const ForeignClient&) = delete;

    /// "" or the database's complaint.
    QString run(const QString& sql);
    /// The rows as "a|b|c" lines, as the shell prints them; the complaint where it has one.
    QString rows(const QString& sql);

private:
    class Shell;
    class SqliteShell;
    class PgShell;

    std::unique_ptr<Shell> m_shell;
};

} // namespace weir::tests
