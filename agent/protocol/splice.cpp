// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/splice.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::protocol {
namespace {

std::string quoted(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Every place of the name is replaced, because parsers differ in which of two equal keys they
/// believe. A body that already holds the right name once is left alone.
void addModel(
    const RequestFacts& facts, std::string_view upstreamModel, std::vector<Splice>& splices)
{
    if (facts.modelValues.empty()) {
        const std::string_view comma = facts.hasMembers ? "," : "";
        splices.push_back(
            {{facts.membersAt, 0}, "\"model\":" + quoted(upstreamModel) + std::string{comma}});
        return;
    }
    const bool same = facts.modelValues.size() == 1 && facts.sortSuffix.empty();
    if (same && facts.model == upstreamModel) return;
    const std::string name = quoted(upstreamModel);
    for (const Span& span : facts.modelValues)
        splices.push_back({span, name});
}

void addLengthLimit(
    const RequestFacts& facts, std::string_view maxTokensName, std::vector<Splice>& splices)
{
    if (!facts.lengthLimit) return;
    const LengthLimit& limit = *facts.lengthLimit;
    if (!maxTokensName.empty() && maxTokensName != limit.word) {
        splices.push_back({limit.name, quoted(maxTokensName)});
    }
    if (limit.value) splices.push_back({*limit.value, std::to_string(facts.maxTokens.value_or(0))});
}

} // namespace

std::vector<Splice> upstreamSplices(
    Protocol protocol,
    const RequestFacts& facts,
    std::string_view upstreamModel,
    bool streamOptions,
    std::string_view maxTokensName)
{
    std::vector<Splice> splices;
    addModel(facts, upstreamModel, splices);
    if (protocol == Protocol::OpenAi && streamOptions && facts.usageEdit) {
        splices.push_back({facts.usageEdit->span, std::string{facts.usageEdit->text}});
    }
    if (facts.thinkingEdit) {
        splices.push_back({facts.thinkingEdit->span, std::string{facts.thinkingEdit->text}});
    }
    addLengthLimit(facts, maxTokensName, splices);
    for (const Span& span : facts.removals)
        splices.push_back({span, {}});
    // Insertions stand before a removal that begins at the same place.
    std::stable_sort(splices.begin(), splices.end(), [](const Splice& a, const Splice& b) {
        return a.span.at != b.span.at ? a.span.at < b.span.at : a.span.size < b.span.size;
    });
    return splices;
}

std::size_t splicedSize(std::string_view body, const std::vector<Splice>& splices)
{
    std::size_t size = body.size();
    for (const Splice& splice : splices)
        size = size - splice.span.size + splice.text.size();
    return size;
}

void appendPieces(
    std::string_view body,
    const std::vector<Splice>& splices,
    std::vector<std::string_view>& pieces)
{
    std::size_t at = 0;
    for (const Splice& splice : splices) {
        if (splice.span.at > at) pieces.push_back(body.substr(at, splice.span.at - at));
        if (!splice.text.empty()) pieces.push_back(splice.text);
        at = splice.span.at + splice.span.size;
    }
    if (at < body.size()) pieces.push_back(body.substr(at));
}

} // namespace weir::protocol
