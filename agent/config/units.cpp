// SPDX-License-Identifier: Apache-2.0
#include "agent/config/units.h"

#include "common/base/assert.h"
#include "common/base/text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace weir::config {
namespace {

struct Suffix
{
    std::string_view word;
    Unit unit;
    /// In milliseconds, or in bytes.
    double size;
};

constexpr std::array kSuffixes{
    Suffix{"ms", Unit::Milliseconds, 1.0},
    Suffix{"s", Unit::Milliseconds, 1e3},
    Suffix{"sec", Unit::Milliseconds, 1e3},
    Suffix{"m", Unit::Milliseconds, 60e3},
    Suffix{"min", Unit::Milliseconds, 60e3},
    Suffix{"h", Unit::Milliseconds, 3600e3},
    Suffix{"b", Unit::Bytes, 1.0},
    Suffix{"k", Unit::Bytes, 1024.0},
    Suffix{"kb", Unit::Bytes, 1024.0},
    Suffix{"kib", Unit::Bytes, 1024.0},
    Suffix{"m", Unit::Bytes, 1048576.0},
    Suffix{"mb", Unit::Bytes, 1048576.0},
    Suffix{"mib", Unit::Bytes, 1048576.0},
    Suffix{"g", Unit::Bytes, 1073741824.0},
    Suffix{"gb", Unit::Bytes, 1073741824.0},
    Suffix{"gib", Unit::Bytes, 1073741824.0},
};

constexpr double kLargestWhole = 9007199254740992.0;

std::optional<double> scaleOf(std::string_view suffix, Unit unit)
{
    if (suffix.empty()) return 1.0;
    const Unit base = unit == Unit::Seconds ? Unit::Milliseconds : unit;
    for (const Suffix& known : kSuffixes) {
        if (known.unit != base || !equalsIgnoreCase(known.word, suffix)) continue;
        return unit == Unit::Seconds ? known.size / 1e3 : known.size;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> meantBy(std::string_view text, Unit unit)
{
    text = trimmed(text);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view suffix =
        trimmed({end, static_cast<std::size_t>(text.data() + text.size() - end)});
    const std::optional<double> scale = scaleOf(suffix, unit);
    if (!scale) return std::nullopt;
    const double exact = value * *scale;
    if (std::floor(exact) != exact) return std::nullopt;
    return wholeNear(exact);
}

std::optional<std::int64_t> wholeNear(double value)
{
    if (!(std::abs(value) < kLargestWhole)) return std::nullopt;
    return std::llround(value);
}

std::string decimal(double value)
{
    std::array<char, 32> digits{};
    // Plain digits are easier to read than an exponent, as long as they are few.
    const bool plain = std::abs(value) < 1e15 && (value == 0.0 || std::abs(value) >= 1e-9);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
    const auto [end, error] =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, format);
    return error == std::errc{} ? std::string{digits.data(), end} : "a number";
}

std::optional<std::int64_t> picoPerToken(double usd)
{
    WEIR_ASSERT(usd >= 0.0 && usd <= kMaxUsdPerMillion);
    // A correctly rounded quotient of two whole numbers is the very double that the decimal of six
    // places reads as, so equality proves that nothing is lost.
    const std::int64_t pico = std::llround(usd * 1e6);
    if (static_cast<double>(pico) / 1e6 != usd) return std::nullopt;
    return pico;
}

} // namespace weir::config
