// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::config {

/// "host:port" in its parts (RFC 3986 section 3.2); the host without its brackets.
struct Authority
{
    std::string_view host;
    std::optional<std::string_view> port;
};

/// Nothing where brackets are wrong or something else stands behind them.
[[nodiscard]] std::optional<Authority> splitAuthority(std::string_view text);

/// 0 to 65535.
[[nodiscard]] std::optional<std::uint16_t> parsePort(std::string_view text);

/// The letters of an IPv6 address; whether it is one, the system says when it binds.
[[nodiscard]] bool mayBeIpv6(std::string_view text);

[[nodiscard]] bool isHostName(std::string_view text);

} // namespace weir::config
