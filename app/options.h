// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/store_address.h"
#include "app/model/place.h"
#include "common/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>
#include <string>

namespace weir::app {

enum class ThemeChoice { System, Light, Dark };

struct Options
{
    /// Nothing = no store.
    std::optional<link::StoreAddress> store;
    /// The same as it was written; never shown.
    std::string storeUrl;
    QUrl agent;
    QString profile;
    /// Where to begin.
    model::Place place;
    /// Where to save a picture of the page instead of staying open; empty = stay open.
    QString screenshot;
    ThemeChoice theme = ThemeChoice::System;
    QSize size;
    bool isReadOnly = false;
    /// Set where there is nothing more to do than to print this.
    QString help;
};

/// Reads the command line. Error code "usage".
[[nodiscard]] Result<Options> readOptions(const QStringList& arguments);

} // namespace weir::app
