// SPDX-License-Identifier: Apache-2.0
#include "common/model/drill.h"

#include <array>

namespace weir {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"breaker", "rate_limit", "error", "delay"};

} // namespace

std::string_view toWord(DrillKind kind)
{
    return kWords[static_cast<std::size_t>(kind)];
}

std::optional<DrillKind> drillKindFromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        if (kWords[i] == word) return static_cast<DrillKind>(i);
    }
    return std::nullopt;
}

} // namespace weir
