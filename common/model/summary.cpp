// SPDX-License-Identifier: Apache-2.0
#include "common/model/summary.h"

#include <array>

namespace weir {
namespace {

constexpr std::array<std::string_view, 8> kCauseWords = {
    "none", "start", "score", "slow3x", "gate", "breaker", "credit", "auth"};

} // namespace

std::string_view toWord(LeaderCause cause)
{
    return kCauseWords.at(static_cast<std::size_t>(cause));
}

} // namespace weir
