// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_node.h"
#include "agent/protocol/json_writer.h"
#include "agent/protocol/refusal.h"
#include "agent/protocol/translation_target.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace weir::protocol {

/// What every step of one request's translation works with. The steps return false where the
/// request is refused; what was written until then is of no use.
struct Translation
{
    json::Writer& out;
    const TranslationTarget& target;
    Refusal& refusal;
};

/// The words that both protocols know for how much a model thinks; which of them a model takes is
/// its server's matter.
inline constexpr std::array<std::string_view, 5> kEfforts = {
    "low", "medium", "high", "xhigh", "max"};

[[nodiscard]] inline bool isEffort(const json::Node& word)
{
    return std::any_of(kEfforts.begin(), kEfforts.end(), [&word](std::string_view effort) {
        return word.is(effort);
    });
}

/// A member taken over as it was written, under another name perhaps; nothing where it is not
/// given.
inline void writeGiven(json::Writer& out, std::string_view name, const json::Node& value)
{
    if (!value.isGiven()) return;
    out.key(name);
    out.raw(value.raw());
}

/// Every member or element is so.
template <class Predicate>
[[nodiscard]] bool allOf(const json::Node& values, Predicate&& isSo)
{
    for (const json::Node value : values) {
        if (!isSo(value)) return false;
    }
    return true;
}

/// Writes a top-level list anew, each element by `write(element, place, to)`.
template <class Write>
[[nodiscard]] bool
writeEach(std::string_view name, const json::Node& elements, const Translation& to, Write&& write)
{
    const Place root;
    const Place place = root.member(name);
    to.out.key(name);
    to.out.beginArray();
    std::size_t index = 0;
    for (const json::Node element : elements) {
        if (!write(element, place.element(index++), to)) return false;
    }
    to.out.endArray();
    return true;
}

/// Writes a Chat Completions request as a Messages request.
[[nodiscard]] bool toAnthropic(const json::Node& request, const Translation& to);

/// Writes a Messages request as a Chat Completions request.
[[nodiscard]] bool toOpenAi(const json::Node& request, const Translation& to);

} // namespace weir::protocol
