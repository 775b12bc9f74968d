// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/request_file.h"
#include "app/model/console.h"
#include "app/model/place.h"
#include "app/model/signs.h"
#include "common/routing/explain.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::model {

/// Texts of one request's page, made of what the store says of it.

/// One thing that is known, and the way to more of it.
struct Fact
{
    QString label;
    QString value;
    /// Its page.
    std::optional<Place> place{};
    /// Or the query that finds all like it.
    QString query{};
};

[[nodiscard]] std::vector<Fact> factsOf(const reports::RequestFile& file);

/// One attempt on the request's own clock, in milliseconds from its first attempt's start.
struct TimePiece
{
    QString text;
    std::optional<int> colour;
    bool isFailure = false;
    Ms from = 0;
    std::optional<Ms> firstToken;
    Ms to = 0;
};

[[nodiscard]] std::vector<TimePiece> timePieces(const reports::RequestFile& file, Console& console);
/// "First output after 5.30 s, complete after 9.10 s."
[[nodiscard]] QString timeText(const reports::RequestFile& file);

/// Whether deciding again gives the same.
struct Verdict
{
    Glyph glyph = Glyph::Circle;
    Tone tone = Tone::Stale;
    QString text;
    /// What differs.
    QStringList lines;
    bool isReproduced = false;
};

[[nodiscard]] Verdict verdictOf(const reports::RequestFile& file);

/// Where it went and why, in a sentence or two.
[[nodiscard]] QString headlineOf(
    const reports::RequestFile& file, const std::optional<routing::Explanation>& explanation);

/// Everything there is of it, the figures of the ladder and the saved decision too.
[[nodiscard]] QString
jsonOf(const reports::RequestFile& file, const std::optional<routing::Explanation>& explanation);

} // namespace weir::model
