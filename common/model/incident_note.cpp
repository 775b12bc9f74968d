// SPDX-License-Identifier: Apache-2.0
#include "common/model/incident_note.h"

#include <algorithm>

namespace weir {
namespace {

constexpr std::array<std::string_view, kNoteSectionCount> kWords = {
    "timeline",
    "overview",
    "what_happened",
    "factors",
    "resolution",
    "impact",
    "responders",
    "went_well",
    "went_badly",
    "action"};

} // namespace

std::string_view toWord(NoteSection section)
{
    return kWords.at(static_cast<std::size_t>(section));
}

std::optional<NoteSection> noteSectionFromWord(std::string_view word)
{
    const auto* const found = std::find(kWords.begin(), kWords.end(), word);
    if (found == kWords.end()) return std::nullopt;
    return static_cast<NoteSection>(found - kWords.begin());
}

} // namespace weir
