// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Replaces `span` of the original by `text`.
struct Splice
{
    Span span;
    std::string text;

    bool operator==(const Splice&) const = default;
};

/// What must change in a request body before it goes to a route of the same protocol: the model's
/// name, `stream_options` where the client streams without asking for usage and the provider
/// understands it, the name of the length limit where the provider knows another one (empty: as it
/// came), and pieces that are Weir's own. In rising order, never overlapping. Everything else
/// passes as it came: key order, number spelling, escapes, unknown and duplicate keys.
[[nodiscard]] std::vector<Splice> upstreamSplices(
    Protocol protocol,
    const RequestFacts& facts,
    std::string_view upstreamModel,
    bool streamOptions,
    std::string_view maxTokensName);

/// The size of `body` with the splices applied.
[[nodiscard]] std::size_t splicedSize(std::string_view body, const std::vector<Splice>& splices);

/// The pieces of the spliced body in order, as views into `body` and `splices`: for a gathered
/// write.
void appendPieces(
    std::string_view body,
    const std::vector<Splice>& splices,
    std::vector<std::string_view>& pieces);

} // namespace weir::protocol
