// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/prompt_shape.h"

#include <algorithm>
#include <cstring>

namespace weir::protocol {
namespace {

/// In thousandths of a token. Measured with two vocabularies of 100,000 and 200,000 words: English
/// prose has 5.0 bytes a token, code 4.2 to 4.5, compact JSON 2.5 to 3.9; of what is not ASCII,
/// Chinese has 2.8 to 4.6 and Russian 4 to 8. Tool declarations are compact JSON. A picture is 85
/// to 1,600 tokens, by the provider and its size, and the words around a message are 3 or 4.
constexpr std::int64_t kAsciiByte = 250;
constexpr std::int64_t kOtherByte = 333;
constexpr std::int64_t kToolByte = 280;
constexpr std::int64_t kImage = 1'000'000;
constexpr std::int64_t kMessage = 4000;

/// Bytes a token that no usual text exceeds (wire case B010): prose has 3 to 5; scripts of two and
/// three bytes a letter have up to 9 with the largest vocabularies.
constexpr std::int64_t kAsciiPerTokenMax = 6;
constexpr std::int64_t kOtherPerTokenMax = 12;

constexpr std::uint64_t kOnes = 0x0101010101010101U;

std::uint64_t wordAt(const char* at)
{
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// Bytes that are no ASCII, eight at a time: each byte of a word counts its own column, for as many
/// words as fit into a byte. The whole prompt passes here, so this must cost next to nothing.
std::int64_t countOther(std::string_view text)
{
    constexpr std::size_t kStride = 255 * sizeof(std::uint64_t);
    std::uint64_t total = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    const char* const wordsEnd = end - text.size() % sizeof(std::uint64_t);
    while (at < wordsEnd) {
        const auto left = static_cast<std::size_t>(wordsEnd - at);
        const char* const stop = at + std::min(left, kStride);
        std::uint64_t columns = 0;
        for (; at < stop; at += sizeof(std::uint64_t))
            columns += (wordAt(at) >> 7U) & kOnes;
        constexpr std::uint64_t kPairs = 0x00FF00FF00FF00FFU;
        const std::uint64_t pairs = (columns & kPairs) + ((columns >> 8U) & kPairs);
        total += (pairs * 0x0001000100010001U) >> 48U;
    }
    for (; at < end; ++at)
        total += static_cast<unsigned char>(*at) >> 7U;
    return static_cast<std::int64_t>(total);
}

} // namespace

void PromptShape::addText(std::string_view text)
{
    const std::int64_t other = countOther(text);
    otherBytes += other;
    asciiBytes += static_cast<std::int64_t>(text.size()) - other;
}

std::int64_t promptEstimate(const PromptShape& shape)
{
    const std::int64_t sum = kAsciiByte * shape.asciiBytes + kOtherByte * shape.otherBytes +
                             kToolByte * shape.toolBytes + kImage * shape.images +
                             kMessage * shape.messages;
    return (sum + 999) / 1000;
}

std::int64_t promptTokensMin(const PromptShape& shape)
{
    return shape.asciiBytes / kAsciiPerTokenMax + shape.otherBytes / kOtherPerTokenMax;
}

} // namespace weir::protocol
