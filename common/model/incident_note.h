// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// Where the report of an incident has what a person wrote: in its timeline, or in one of the parts
/// that nobody can compute.
enum class NoteSection : std::uint8_t {
    Timeline,
    Overview,
    WhatHappened,
    Factors,
    Resolution,
    Impact,
    Responders,
    WentWell,
    WentBadly,
    Action,
};
inline constexpr std::size_t kNoteSectionCount = 10;

/// "timeline", "what_happened", …
[[nodiscard]] std::string_view toWord(NoteSection section);
[[nodiscard]] std::optional<NoteSection> noteSectionFromWord(std::string_view word);

inline constexpr std::size_t kNoteCharactersMax = 4000;

/// What a person says of an incident. A row of `incident_note`.
struct IncidentNote
{
    /// Made by whoever writes it first.
    std::string id;
    std::string incidentId;
    NoteSection section = NoteSection::Timeline;
    /// What it is about happened then, in epoch milliseconds.
    std::int64_t atMs = 0;
    /// 1 to kNoteCharactersMax characters, one paragraph.
    std::string text;
    /// 1 as first written; more = edited.
    std::int64_t version = 0;
    std::string createdBy;
    std::string updatedBy;
    UtcTime updatedAt{};

    bool operator==(const IncidentNote&) const = default;
};

} // namespace weir
