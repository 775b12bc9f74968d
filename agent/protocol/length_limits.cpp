// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/length_limits.h"

#include <algorithm>

namespace weir::protocol {

void LengthLimits::settle(Row& members, RequestFacts& facts) const
{
    const auto makesSense = [](const Given& given) { return given.count || given.isNull; };
    if (m_given.empty() || !std::all_of(m_given.begin(), m_given.end(), makesSense)) return;
    const Given* kept = &m_given.front();
    for (const Given& given : m_given) {
        if (given.word == kMaxCompletionTokens || kept->word == kMaxTokens) kept = &given;
    }
    for (const Given& given : m_given) {
        if (&given != kept) members.remove(given.member);
    }
    LengthLimit limit{kept->name, kept->word, std::nullopt};
    if (facts.maxTokens && kept->count != facts.maxTokens) limit.value = kept->value;
    facts.lengthLimit = limit;
}

} // namespace weir::protocol
