// SPDX-License-Identifier: Apache-2.0
#include "common/base/text.h"

#include <algorithm>

namespace weir {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7), or 0.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i])
                               : static_cast<unsigned char>(0);
    };
    const auto isTail = [&byte](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return isTail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return isTail(1) && isTail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) > 0x8F;
        return isTail(1) && isTail(2) && isTail(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

bool isControl(std::string_view sequence)
{
    const auto first = static_cast<unsigned char>(sequence.front());
    if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
    return sequence.size() == 2 && first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

std::string cleaned(std::string_view text, std::size_t maxCharacters)
{
    std::string result;
    for (std::size_t kept = 0; kept < maxCharacters && !text.empty(); ++kept) {
        const std::size_t length = sequenceLength(text);
        const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
        result += length == 0 || isControl(sequence) ? kReplacement : sequence;
        text.remove_prefix(sequence.size());
    }
    return result;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> listElements(std::string_view list)
{
    std::vector<std::string_view> elements;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view element = trimmed(list.substr(0, comma));
        if (!element.empty()) elements.push_back(element);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return elements;
}

} // namespace weir
