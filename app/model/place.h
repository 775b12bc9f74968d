// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/time_series.h"

#include <QString>

#include <optional>
#include <span>

namespace weir::model {

/// Where in the console somebody is, or wants to go: a page, one thing on it, a stretch of time.
struct Place
{
    enum class Page : std::uint8_t {
        Live,
        Incidents,
        Decisions,
        Providers,
        Tasks,
        Experiments,
        Settings,
        Fleet,
    };

    Page page = Page::Live;
    /// An incident's, request's or agent's id, a provider's or task type's name; empty = the page.
    QString key;
    std::optional<Span> range;

    bool operator==(const Place&) const = default;
};

inline constexpr std::size_t kPageCount = 8;

/// "live", "tasks": what links and the command line call it.
[[nodiscard]] QString toWord(Place::Page page);
[[nodiscard]] std::optional<Place::Page> pageFromWord(const QString& word);
/// "Tasks & cost": what the window calls it.
[[nodiscard]] QString titleOf(Place::Page page);

/// "weir://incidents/INC-231?from=2026-11-30T10:00:00Z&to=2026-11-30T11:00:00Z".
[[nodiscard]] QString toLink(const Place& place);
/// Nothing where the text is no such link; times that cannot be read are left out.
[[nodiscard]] std::optional<Place> placeFromLink(const QString& text);

} // namespace weir::model
