// SPDX-License-Identifier: Apache-2.0
#include "common/base/time.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace weir {
namespace {

/// Takes exactly `digits` digits off the front of `text`.
bool takeNumber(std::string_view& text, std::size_t digits, int& value)
{
    if (text.size() < digits) return false;
    const char* end = text.data() + digits;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || text.front() == '-') return false;
    text.remove_prefix(digits);
    return true;
}

bool takeChar(std::string_view& text, std::string_view allowed)
{
    if (text.empty() || allowed.find(text.front()) == std::string_view::npos) return false;
    text.remove_prefix(1);
    return true;
}

} // namespace

std::string toIso(UtcTime time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{time - day};
    std::array<char, 48> text{};
    const int size = std::snprintf(
        text.data(),
        text.size(),
        "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()),
        static_cast<int>(clock.minutes().count()),
        static_cast<int>(clock.seconds().count()),
        static_cast<int>(clock.subseconds().count()));
    return {text.data(), static_cast<std::size_t>(size)};
}

Result<UtcTime> parseIso(std::string_view text)
{
    const std::string original{text};
    const auto bad = [&original] {
        return fail("bad_time", original, "not an RFC 3339 time such as 2026-11-30T10:15:00Z");
    };
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!takeNumber(text, 4, year) || !takeChar(text, "-") || !takeNumber(text, 2, month) ||
        !takeChar(text, "-") || !takeNumber(text, 2, day) || !takeChar(text, "Tt ") ||
        !takeNumber(text, 2, hour) || !takeChar(text, ":") || !takeNumber(text, 2, minute) ||
        !takeChar(text, ":") || !takeNumber(text, 2, second)) {
        return bad();
    }
    int ms = 0;
    if (takeChar(text, ".")) {
        int scale = 100;
        bool any = false;
        for (int digit = 0; takeNumber(text, 1, digit); scale /= 10) {
            ms += digit * scale;
            any = true;
        }
        if (!any) return bad();
    }
    int offsetMinutes = 0;
    if (!takeChar(text, "Zz")) {
        const bool west = !text.empty() && text.front() == '-';
        int hours = 0;
        int minutes = 0;
        if (!takeChar(text, "+-") || !takeNumber(text, 2, hours) || !takeChar(text, ":") ||
            !takeNumber(text, 2, minutes) || hours > 23 || minutes > 59) {
            return bad();
        }
        offsetMinutes = (west ? -1 : 1) * (hours * 60 + minutes);
    }
    const std::chrono::year_month_day date{
        std::chrono::year{year},
        std::chrono::month{static_cast<unsigned>(month)},
        std::chrono::day{static_cast<unsigned>(day)}};
    if (!text.empty() || !date.ok() || hour > 23 || minute > 59 || second > 60) return bad();
    return UtcTime{std::chrono::sys_days{date}} + std::chrono::hours{hour} +
           std::chrono::minutes{minute - offsetMinutes} + std::chrono::seconds{second} +
           std::chrono::milliseconds{ms};
}

} // namespace weir
