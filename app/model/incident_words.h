// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "app/model/time_series.h"
#include "common/model/incident.h"
#include "common/model/incident_note.h"

#include <QString>

#include <optional>

namespace weir::model {

/// A sign, what it means, and its word.
struct Look
{
    Glyph glyph = Glyph::Circle;
    Tone tone = Tone::Stale;
    QString word;

    bool operator==(const Look&) const = default;
};

/// How a route stands while it lasts: "slow", "backing off".
[[nodiscard]] Look lookOf(IncidentKind kind);
/// "open" or "closed".
[[nodiscard]] Look stateOf(const Incident& incident);
/// "baseten: first tokens late".
[[nodiscard]] QString headline(const Incident& incident);
/// What it is about besides the headline: "glm-5.2 · code-review".
[[nodiscard]] QString whereText(const Incident& incident);
/// Of an incident's event: "found", "new leader".
[[nodiscard]] Look lookOfEvent(const std::string& kind);
/// "Contributing factors".
[[nodiscard]] QString titleOf(NoteSection section);

/// "30 Nov 10:02:11Z".
[[nodiscard]] QString stampText(Ms time);
/// "45 s", "14 m", "2 h 3 m", "3 d 2 h".
[[nodiscard]] QString spanText(Ms length);
/// "412", "52,310".
[[nodiscard]] QString countText(std::int64_t count);
/// When the newest thing that is known of it happened.
[[nodiscard]] Ms lastEvidence(const Incident& incident);

} // namespace weir::model
