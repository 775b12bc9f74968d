// SPDX-License-Identifier: Apache-2.0
#include "common/model/call_record.h"

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

constexpr std::array<std::string_view, 3> kUnserved = {"none", "shed", "no_route"};

} // namespace

std::string_view toWord(Unserved why)
{
    return kUnserved[static_cast<std::size_t>(why)];
}

std::optional<Unserved> unservedFromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kUnserved.size(); ++i) {
        if (kUnserved[i] == word) return static_cast<Unserved>(i);
    }
    return std::nullopt;
}

std::string_view toWord(Reason reason)
{
    return kReasons[static_cast<std::size_t>(reason)];
}

std::optional<Reason> reasonFromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kReasons.size(); ++i) {
        if (kReasons[i] == word) return static_cast<Reason>(i);
    }
    return std::nullopt;
}

} // namespace weir
