// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/plan.h"

#include <algorithm>
#include <array>

namespace weir::fake {

namespace {

constexpr std::array<std::string_view, 16> kWords{
    "The",
    " river",
    " rises",
    " over",
    " the",
    " weir",
    " and",
    " finds",
    " its",
    " level,",
    " 語🌍",
    " slowly",
    " für",
    " everyone",
    " who",
    " waits.",
};

} // namespace

std::string textOf(const Plan& plan, std::uint64_t from, std::uint64_t to)
{
    std::string text;
    const std::uint64_t end = std::min(to, plan.textTokens);
    for (std::uint64_t at = from; at < end; ++at)
        text += plan.words.empty() ? kWords[at % kWords.size()] : std::string_view(plan.words[at]);
    return text;
}

std::string reasoningOf(const Plan& plan)
{
    std::string text;
    for (std::uint64_t at = 0; at < plan.usage.reasoning; ++at)
        text += kReasoningToken;
    return text;
}

std::string signatureOf(std::string_view reasoning, std::uint64_t issuer)
{
    std::uint64_t hash = 0xcbf29ce484222325u ^ issuer; // FNV-1a, 64 bit
    for (const char each : reasoning)
        hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
    // The alphabet and the padding of base64, as real ones have them.
    return "FAKE/+" + std::to_string(hash) + "==";
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' ', 1), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return words;
}

} // namespace weir::fake
