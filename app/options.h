// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/place.h"
#include "app/model/profile.h"
#include "common/base/result.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace weir::app {

enum class ThemeChoice { System, Light, Dark };

struct Options
{
    QUrl agent;
    model::Profile profile;
    /// Where to begin; nothing = where the window was closed, or on Live.
    std::optional<model::Place> place;
    /// Where to save a picture of the page instead of staying open; empty = stay open.
    QString screenshot;
    ThemeChoice theme = ThemeChoice::System;
    /// Nothing = as the window was closed.
    std::optional<QSize> size;
    bool isReadOnly = false;
    /// Set where there is nothing more to do than to print this.
    QString help;
};

/// Reads the command line. A profile that is kept says what the command line does not; `last` is
/// the one to take where none is named. Error code "usage".
[[nodiscard]] Result<Options>
readOptions(const QStringList& arguments, const model::Profiles& profiles, const QString& last);

} // namespace weir::app
