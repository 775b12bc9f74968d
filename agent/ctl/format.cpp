// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"

#include "common/model/price.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

namespace weir::ctl {
namespace {

struct Range
{
    char32_t first;
    char32_t last;
};

/// East Asian Wide and Fullwidth blocks and the emoji, coarsely (Unicode 15, EastAsianWidth.txt).
constexpr std::array kWide{
    Range{0x1100, 0x115F},
    Range{0x2E80, 0x303E},
    Range{0x3041, 0xA4CF},
    Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},
    Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1FAFF},
    Range{0x20000, 0x3FFFD}};
constexpr std::array kZero{
    Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0xFE00, 0xFE0F}, Range{0x1AB0, 0x1AFF}};

template <std::size_t n>
bool isIn(const std::array<Range, n>& ranges, char32_t c)
{
    return std::any_of(ranges.begin(), ranges.end(), [c](const Range& range) {
        return c >= range.first && c <= range.last;
    });
}

struct Glyph
{
    std::string_view bytes;
    std::size_t cells = 1;
};

/// The next character of well-formed UTF-8; a byte that is none counts as one cell.
Glyph nextGlyph(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    if (first >= 0xF0)
        length = 4;
    else if (first >= 0xE0)
        length = 3;
    else if (first >= 0xC2)
        length = 2;
    length = std::min(length, text.size());
    if (length == 1) return {text.substr(0, 1), 1};
    char32_t point = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        point = (point << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    if (isIn(kZero, point)) return {text.substr(0, length), 0};
    return {text.substr(0, length), isIn(kWide, point) ? 2U : 1U};
}

std::vector<Glyph> glyphsOf(std::string_view text)
{
    std::vector<Glyph> glyphs;
    while (!text.empty()) {
        glyphs.push_back(nextGlyph(text));
        text.remove_prefix(glyphs.back().bytes.size());
    }
    return glyphs;
}

std::string fixed(double value, int decimals)
{
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
    return digits.data();
}

std::string grouped(std::string digits)
{
    const std::size_t start = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = digits.size(); at > start + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

} // namespace

std::size_t cellsOf(std::string_view text)
{
    std::size_t cells = 0;
    for (const Glyph& glyph : glyphsOf(text))
        cells += glyph.cells;
    return cells;
}

std::string cutEnd(std::string_view text, std::size_t cells)
{
    if (cellsOf(text) <= cells) return std::string{text};
    if (cells == 0) return {};
    std::string kept;
    std::size_t used = 1;
    for (const Glyph& glyph : glyphsOf(text)) {
        used += glyph.cells;
        if (used > cells) break;
        kept += glyph.bytes;
    }
    return kept + "…";
}

std::string cutMiddle(std::string_view text, std::size_t cells)
{
    if (cellsOf(text) <= cells) return std::string{text};
    if (cells < 5) return cutEnd(text, cells);
    std::vector<Glyph> glyphs = glyphsOf(text);
    const std::size_t tailCells = (cells - 1) / 2;
    std::string tail;
    std::size_t used = 0;
    while (!glyphs.empty() && used + glyphs.back().cells <= tailCells) {
        used += glyphs.back().cells;
        tail.insert(0, glyphs.back().bytes);
        glyphs.pop_back();
    }
    return cutEnd(text, cells - used) + tail;
}

std::string formatAge(double seconds)
{
    const double s = std::max(seconds, 0.0);
    if (s < 9.95) return fixed(s, 1) + " s";
    if (s < 119.5) return fixed(s, 0) + " s";
    if (s < 119.5 * 60) return fixed(s / 60, 0) + " min";
    if (s < 47.5 * 3600) return fixed(s / 3600, 0) + " h";
    return fixed(s / 86400, 0) + " d";
}

std::string formatMs(std::optional<double> milliseconds)
{
    if (!milliseconds) return std::string{kUnknown};
    const double ms = *milliseconds;
    if (ms < 9.95 && ms != std::floor(ms)) return fixed(ms, 1) + " ms";
    if (ms < 999.5) return fixed(ms, 0) + " ms";
    if (ms < 9950) return fixed(ms / 1000, 1) + " s";
    if (ms < 99'500) return fixed(ms / 1000, 0) + " s";
    return fixed(ms / 60'000, 1) + " min";
}

std::string formatRate(std::optional<double> rate)
{
    if (!rate) return std::string{kUnknown};
    if (*rate == 0.0) return "0";
    if (*rate < 0.095) return fixed(std::max(*rate, 0.01), 2);
    if (*rate < 9.95) return fixed(*rate, 1);
    return grouped(fixed(*rate, 0));
}

std::string formatShare(std::optional<double> share)
{
    if (!share) return std::string{kUnknown};
    const double percent = *share * 100.0;
    if (percent <= 0.0) return "0 %";
    if (percent < 0.1) return "<0.1 %";
    if (percent < 9.95) return fixed(percent, 1) + " %";
    if (percent < 100.0 && percent >= 99.5) return fixed(std::min(percent, 99.9), 1) + " %";
    return fixed(percent, 0) + " %";
}

std::string formatCount(std::optional<std::int64_t> count)
{
    return count ? grouped(std::to_string(*count)) : std::string{kUnknown};
}

std::string formatCost(std::optional<std::int64_t> microUsd)
{
    return microUsd ? formatMicroUsd(*microUsd) : std::string{kUnknown};
}

std::string describeModeReason(std::string_view code)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMeanings{{
        {"switch", "as the switch says"},
        {"settings_unreadable", "the settings cannot be read"},
        {"switch_missing", "the switch has no row"},
        {"no_summary", "there is no summary yet"},
        {"summary_old", "the summary is too old"},
    }};
    for (const auto& [known, meaning] : kMeanings) {
        if (known == code) return std::string{meaning};
    }
    return std::string{code};
}

std::string dumped(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace weir::ctl
