// SPDX-License-Identifier: Apache-2.0
#include "common/model/mirror_comparison.h"

#include <array>

namespace weir {

std::string_view toWord(MirrorResult result)
{
    static constexpr std::array<std::string_view, kMirrorResultCount> kWords{
        "graded",
        "compared",
        "ungraded",
        "candidate_failed",
        "cancelled",
        "skipped_single_shot",
        "skipped_batch",
        "skipped_drill",
        "skipped_unanswered",
        "skipped_large",
        "skipped_not_text",
        "skipped_busy",
        "skipped_ineligible",
        "skipped_gate"};
    return kWords.at(static_cast<std::size_t>(result));
}

} // namespace weir
