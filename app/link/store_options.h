// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.h"

#include <QSqlDatabase>
#include <QString>

#include <functional>

namespace weir::link {

struct StoreOptions
{
    /// The SQLite file.
    QString path;
    /// How long a write waits for another process that is writing.
    int busyTimeoutMs = 2'500;
    int pollMs = 500;
    /// While a written switch is being counted.
    int quickPollMs = 150;
    /// Ends a write's transaction; a door, so that a test can break it around the commit.
    std::function<bool(QSqlDatabase)> commit = [](QSqlDatabase db) { return db.commit(); };
};

/// The file of `sqlite:/path/weir.db`. Error code "bad_store".
[[nodiscard]] Result<QString> sqlitePath(const QString& url);

} // namespace weir::link
