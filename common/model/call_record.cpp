// SPDX-License-Identifier: Apache-2.0
#include "common/model/call_record.h"

#include <algorithm>
#include <array>

namespace weir {
namespace {

constexpr std::array<std::string_view, 9> kReasons = {
    "leader",
    "pinned",
    "explore",
    "spill",
    "failover",
    "override",
    "single-shot",
    "last-resort",
    "fixed",
};

} // namespace

std::string_view toWord(Reason reason)
{
    return kReasons[static_cast<std::size_t>(reason)];
}

std::optional<Reason> reasonFromWord(std::string_view word)
{
    const auto found = std::find(kReasons.begin(), kReasons.end(), word);
    if (found == kReasons.end()) return std::nullopt;
    return static_cast<Reason>(found - kReasons.begin());
}

} // namespace weir
