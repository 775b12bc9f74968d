// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/store_address.h"

#include <QSqlDatabase>

#include <functional>

namespace weir::link {

struct StoreOptions
{
    model::StoreAddress address;
    /// How long a write waits for another one that is writing.
    int busyTimeoutMs = 2'500;
    /// How long a server may take for what is asked at one time; a connection that took longer is
    /// closed. Longer than the server lets a transaction lie idle (StoreConnection), so that what
    /// was given up cannot be committed later.
    int answerTimeoutMs = 6'000;
    int pollMs = 500;
    /// While a written switch is being counted.
    int quickPollMs = 150;
    /// Ends a write's transaction; a door, so that a test can break it around the commit.
    std::function<bool(QSqlDatabase)> commit = [](QSqlDatabase db) { return db.commit(); };
};

} // namespace weir::link
