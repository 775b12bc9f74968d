// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QString>

#include <memory>

namespace weir::link {

enum class Access : std::uint8_t { ReadOnly, ReadWrite };

/// One Qt Sql connection to an existing SQLite file, closed and forgotten at the end of its scope.
/// Used in the thread that opened it; every QSqlQuery on it must be gone before.
class SqliteConnection final
{
public:
    /// Error code "store": the file is missing, no database, or locked for `busyTimeoutMs`.
    [[nodiscard]] static Result<std::unique_ptr<SqliteConnection>>
    open(const QString& path, Access access, int busyTimeoutMs);

    ~SqliteConnection();
    SqliteConnection(const SqliteConnection&) = delete;
    SqliteConnection& operator=(const SqliteConnection&) = delete;

    [[nodiscard]] QSqlDatabase db() const;

private:
    explicit SqliteConnection(QString name);

    QString m_name;
};

/// What the database said, for a person.
[[nodiscard]] QString troubleOf(const QSqlError& error);

} // namespace weir::link
