// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"
#include "common/model/incident_note.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::routing {

/// What stands where a person has to write something: what everybody searches a page for.
inline constexpr std::string_view kMissing = "TO"
                                             "DO";

/// A line of the timeline that does not come from the incident itself: a turn of the switch, a
/// change of settings.
struct ReviewLine
{
    std::int64_t atMs = 0;
    std::string text;
    /// Where its evidence is; empty = none.
    std::string link;
};

/// What is known around an incident. Nothing here is copied: it must outlive the call.
struct ReviewFacts
{
    /// May hold any incidents; those of the same group are listed.
    std::span<const Incident> others;
    std::span<const IncidentNote> notes;
    std::span<const ReviewLine> lines;
    /// Figures besides the incident's own: names and values.
    std::span<const std::pair<std::string, std::string>> impact;
    /// Names of pictures beside the page, with what each shows.
    std::span<const std::pair<std::string, std::string>> pictures;
    /// Who changed something in its time.
    std::span<const std::string> people;
    /// To the incident in the console.
    std::string link;
};

/// A review of the incident in Markdown, for people to finish: overview, what happened,
/// contributing factors, resolution, impact, responders, timeline, what went well and what did not,
/// action items. What only a person can say comes from the notes; where they are silent it reads
/// `kMissing`. Times are UTC.
[[nodiscard]] std::string incidentReview(const Incident& incident, const ReviewFacts& facts);

/// The parts that still read `kMissing`, by their titles.
[[nodiscard]] std::vector<std::string> missingParts(const ReviewFacts& facts);

} // namespace weir::routing
