// SPDX-License-Identifier: Apache-2.0
#include "agent/config/authority.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace weir::config {

std::optional<Authority> splitAuthority(std::string_view text)
{
    std::string_view rest;
    Authority parts;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) return std::nullopt;
        parts.host = text.substr(1, close - 1);
        rest = text.substr(close + 1);
        if (!mayBeIpv6(parts.host)) return std::nullopt;
    } else {
        parts.host = text.substr(0, text.find(':'));
        rest = text.substr(parts.host.size());
    }
    if (rest.empty()) return parts;
    if (!rest.starts_with(':')) return std::nullopt;
    parts.port = rest.substr(1);
    return parts;
}

std::optional<std::uint16_t> parsePort(std::string_view text)
{
    unsigned value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last || text.empty() || value > 65535) return std::nullopt;
    return static_cast<std::uint16_t>(value);
}

bool mayBeIpv6(std::string_view text)
{
    return text.size() >= 2 && text.size() <= 45 &&
           std::count(text.begin(), text.end(), ':') >= 2 &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return std::isxdigit(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '.';
           });
}

bool isHostName(std::string_view text)
{
    return !text.empty() && text.size() <= 253 && text.front() != '-' && text.front() != '.' &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ||
                      c == '_';
           });
}

} // namespace weir::config
