// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace weir::protocol {

/// The same document with other values where the JSON library refuses what the grammar allows:
/// halves of surrogate pairs, and powers of ten that no double holds.
inline std::string readableJson(std::string_view text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string out{text};
    for (std::size_t at = 0; at + 2 < out.size(); ++at) {
        if (at + 5 < out.size() && out[at] == '\\') {
            const bool isHalf = out[at + 1] == 'u' && (out[at + 2] == 'd' || out[at + 2] == 'D') &&
                                out[at + 3] > '7';
            if (isHalf) out.replace(at + 2, 2, "00");
            ++at;
        } else if (isDigit(out[at]) && (out[at + 1] == 'e' || out[at + 1] == 'E')) {
            std::size_t digit = at + 2;
            if (out[digit] == '+' || out[digit] == '-') ++digit;
            for (; digit < out.size() && isDigit(out[digit]); ++digit)
                out[digit] = '0';
        }
    }
    return out;
}

/// Discarded where it is no JSON.
inline nlohmann::json parsedJson(std::string_view text)
{
    return nlohmann::json::parse(readableJson(text), nullptr, false);
}

} // namespace weir::protocol
