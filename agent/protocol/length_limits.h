// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"
#include "agent/protocol/row.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::protocol {

inline constexpr std::string_view kMaxTokens = "max_tokens";
inline constexpr std::string_view kMaxCompletionTokens = "max_completion_tokens";

/// The members of a Chat Completions request that limit the answer's length (wire case B083):
/// clients give either name or both, and a server may refuse the one that it does not know.
class LengthLimits final
{
public:
    struct Given
    {
        /// Its index among the request's members.
        std::size_t member = 0;
        /// Place of the name, quotes included, and which one it is.
        Span name;
        std::string_view word;
        Span value;
        std::optional<std::int64_t> count;
        bool isNull = false;
    };

    void add(const Given& given) { m_given.push_back(given); }

    /// Keeps one of several, with the smallest value. A value that is no number is the upstream's
    /// to refuse; nothing is changed then.
    void settle(Row& members, RequestFacts& facts) const;

private:
    std::vector<Given> m_given;
};

} // namespace weir::protocol
