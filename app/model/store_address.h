// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"

#include <QString>

#include <cstdint>

namespace weir::model {

/// Where a store is, as a URL says it.
struct StoreAddress
{
    enum class Kind : std::uint8_t { Sqlite, Postgres };

    Kind kind = Kind::Sqlite;
    /// The SQLite file.
    QString path;
    /// Of Postgres; empty or 0 = as libpq has it from its environment.
    QString host;
    int port = 0;
    QString database;
    QString user;
    /// Never shown.
    QString password;
    /// Further words of libpq, ready for a connection string: "sslmode='verify-full' …".
    QString more;

    /// For people, without the password: the file's name, or "weir at db.example".
    [[nodiscard]] QString shown() const;
};

/// Reads `sqlite:/path/weir.db` or `postgresql://user@host:port/database?sslmode=…`. Error code
/// "bad_store"; the text repeats nothing that could be a password.
[[nodiscard]] Result<StoreAddress> storeAddress(const QString& url);

} // namespace weir::model
