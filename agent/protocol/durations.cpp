// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/durations.h"

#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace weir::protocol {
namespace {

constexpr double kMsMax = 100.0 * 366 * 86400 * 1000;

struct Unit
{
    std::string_view name;
    double ms;
};

/// Lower case.
constexpr std::array kUnits = {
    Unit{"ms", 1},           Unit{"millisecond", 1},   Unit{"milliseconds", 1},
    Unit{"s", 1000},         Unit{"sec", 1000},        Unit{"secs", 1000},
    Unit{"second", 1000},    Unit{"seconds", 1000},    Unit{"m", 60'000},
    Unit{"min", 60'000},     Unit{"mins", 60'000},     Unit{"minute", 60'000},
    Unit{"minutes", 60'000}, Unit{"h", 3'600'000},     Unit{"hr", 3'600'000},
    Unit{"hour", 3'600'000}, Unit{"hours", 3'600'000}, Unit{"d", 86'400'000},
    Unit{"day", 86'400'000}, Unit{"days", 86'400'000},
};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view takeWhile(std::string_view& text, bool (*belongs)(char))
{
    const auto* const end = std::find_if_not(text.begin(), text.end(), belongs);
    const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(taken.size());
    return taken;
}

/// One number and its unit off the front; `text` is left alone where there is none. A full stop
/// behind the last digit ends the sentence, not the number.
std::optional<double> takePart(std::string_view& text)
{
    std::string_view rest = text;
    const std::string_view digits =
        takeWhile(rest, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    const auto number = decimal(digits);
    if (!number) return std::nullopt;
    takeWhile(rest, [](char c) { return c == ' '; });
    const std::string_view word = takeWhile(rest, isLetter);
    const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [word](const Unit& known) {
        return equalsIgnoreCase(known.name, word);
    });
    if (unit == kUnits.end()) return std::nullopt;
    text = rest;
    return *number * unit->ms;
}

/// Words and numbers between blanks, commas, colons and hyphens.
std::array<std::string_view, 8> dateTokens(std::string_view text, std::size_t& count)
{
    std::array<std::string_view, 8> tokens;
    count = 0;
    while (count < tokens.size()) {
        text.remove_prefix(std::min(text.find_first_not_of(" ,:-"), text.size()));
        if (text.empty()) break;
        tokens.at(count++) = text.substr(0, text.find_first_of(" ,:-"));
        text.remove_prefix(tokens.at(count - 1).size());
    }
    return tokens;
}

int number(std::string_view text)
{
    int value = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? value : -1;
}

unsigned month(std::string_view name)
{
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::size_t at = name.size() == 3 ? kMonths.find(name) : std::string_view::npos;
    return at == std::string_view::npos || at % 3 != 0 ? 0 : static_cast<unsigned>(at / 3 + 1);
}

std::optional<UtcTime> makeTime(int year, unsigned monthNumber, int day, const int (&clock)[3])
{
    if (day < 0) return std::nullopt;
    const std::chrono::year_month_day date{
        std::chrono::year{year},
        std::chrono::month{monthNumber},
        std::chrono::day{static_cast<unsigned>(day)}};
    const bool clockOk = clock[0] >= 0 && clock[0] < 24 && clock[1] >= 0 && clock[1] < 60 &&
                         clock[2] >= 0 && clock[2] <= 60;
    if (!date.ok() || !clockOk) return std::nullopt;
    return UtcTime{std::chrono::sys_days{date}} + std::chrono::hours{clock[0]} +
           std::chrono::minutes{clock[1]} + std::chrono::seconds{clock[2]};
}

} // namespace

std::optional<double> decimal(std::string_view text)
{
    text = trimmed(text);
    if (text.empty() || text.find_first_not_of("0123456789.-") != std::string_view::npos) {
        return std::nullopt;
    }
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) return text.front() == '-' ? -kMsMax : kMsMax;
    return value;
}

std::chrono::milliseconds fromMilliseconds(double ms)
{
    return std::chrono::milliseconds{
        static_cast<std::int64_t>(std::ceil(std::clamp(ms, 0.0, kMsMax)))};
}

std::chrono::milliseconds fromSeconds(double seconds)
{
    // Rounded to the microsecond first: 1.1 s is 1100 ms, not 1101 for the sake of binary
    // fractions.
    return fromMilliseconds(std::round(std::clamp(seconds, 0.0, kMsMax) * 1e6) / 1e3);
}

std::optional<UnitDuration> unitDuration(std::string_view text)
{
    std::optional<double> total;
    while (const auto part = takePart(text))
        total = total.value_or(0) + *part;
    if (!total) return std::nullopt;
    return UnitDuration{fromSeconds(*total / 1e3), text};
}

std::optional<UtcTime> httpDate(std::string_view text)
{
    std::size_t count = 0;
    const auto tokens = dateTokens(trimmed(text), count);
    // Sun Nov  6 08:49:37 1994
    if (count == 7 && month(tokens[1]) != 0) {
        const int clock[3] = {number(tokens[3]), number(tokens[4]), number(tokens[5])};
        return makeTime(number(tokens[6]), month(tokens[1]), number(tokens[2]), clock);
    }
    // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
    if (count != 8 || month(tokens[2]) == 0 || tokens[7] != "GMT") return std::nullopt;
    int year = number(tokens[3]);
    if (tokens[3].size() == 2 && year >= 0) year += year < 70 ? 2000 : 1900;
    const int clock[3] = {number(tokens[4]), number(tokens[5]), number(tokens[6])};
    return makeTime(year, month(tokens[2]), number(tokens[1]), clock);
}

} // namespace weir::protocol
