// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <string>

struct sqlite3;

namespace weir::test {

/// Statements without values on the file of a store, as another program would run them; fails the
/// program where one fails.
void runSql(const QString& path, const std::string& sql);

/// A real store: a SQLite file in a folder of its own, made by the shipped schema, with the first
/// rows.
class StoreFile final
{
public:
    StoreFile();
    ~StoreFile();

    [[nodiscard]] QString path() const { return m_dir.filePath(QStringLiteral("weir.db")); }

    /// Statements without values; fails the program where one fails.
    void run(const std::string& sql);
    /// The first value of the first row, as text.
    [[nodiscard]] std::string value(const std::string& sql);
    /// Turns the switch as another console would.
    void turn(const std::string& mode, const std::string& by, const std::string& reason);
    /// Stands in for an agent that runs the newest switch.
    void
    acknowledge(const std::string& agent, const std::string& mode, const std::string& modeReason);

private:
    struct Close
    {
        void operator()(sqlite3* db) const;
    };

    QTemporaryDir m_dir;
    std::unique_ptr<sqlite3, Close> m_db;
};

} // namespace weir::test
