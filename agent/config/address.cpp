// SPDX-License-Identifier: Apache-2.0
#include "agent/config/address.h"

#include "agent/config/authority.h"
#include "agent/config/section.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace weir::config {
namespace {

bool isDigits(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::array<int, 4>> parseIpv4(std::string_view text)
{
    std::array<int, 4> parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view part = text.substr(0, text.find('.'));
        if (!isDigits(part) || part.size() > 3 || (part.size() > 1 && part.front() == '0')) {
            return std::nullopt;
        }
        std::from_chars(part.data(), part.data() + part.size(), parts[i]);
        if (parts[i] > 255) return std::nullopt;
        text.remove_prefix(part.size());
        if (i < 3 && !text.starts_with('.')) return std::nullopt;
        text.remove_prefix(i < 3 ? 1 : 0);
    }
    return text.empty() ? std::optional{parts} : std::nullopt;
}

tl::unexpected<Error> badUrl(std::string detail)
{
    return fail("bad_url", "", std::move(detail));
}

/// What an SDK appends to its base URL; a person who pasted a whole endpoint has it at the end.
std::optional<std::string_view> endpointIn(std::string_view path)
{
    constexpr std::array<std::string_view, 6> kEndpoints{
        "/chat/completions", "/completions", "/messages", "/responses", "/embeddings", "/models"};
    for (const std::string_view endpoint : kEndpoints) {
        if (path.ends_with(endpoint)) return endpoint;
    }
    return std::nullopt;
}

} // namespace

Result<Endpoint> parseEndpoint(std::string_view text)
{
    const auto bad = [&](const std::string& cure) {
        return fail("bad_address", "", "must be ADDRESS:PORT, not " + quoted(text) + ": " + cure);
    };
    if (text.starts_with("http://") || text.starts_with("https://")) {
        return bad("leave out the scheme");
    }
    if (isDigits(text)) return bad("write \"127.0.0.1:" + std::string{text} + '"');
    if (mayBeIpv6(text)) return bad("write an IPv6 address in brackets, as in \"[::1]:8790\"");
    const std::optional<Authority> parts = splitAuthority(text);
    if (!parts || parts->host.empty()) return bad("write for example \"127.0.0.1:8790\"");
    if (!parts->port) return bad("add a port, as in \"127.0.0.1:8790\"");
    const std::optional<std::uint16_t> port = parsePort(*parts->port);
    if (!port) return bad("a port is a number between 0 and 65535");
    const std::string host =
        equalsIgnoreCase(parts->host, "localhost") ? "127.0.0.1" : std::string{parts->host};
    if (!parseIpv4(host) && !mayBeIpv6(host)) {
        return bad("write the number of an interface, or 0.0.0.0 for all of them");
    }
    return Endpoint{host, *port};
}

bool isLoopback(std::string_view host)
{
    if (const auto parts = parseIpv4(host)) return parts->front() == 127;
    return host == "::1" || equalsIgnoreCase(host, "localhost");
}

Result<BaseUrl> parseBaseUrl(std::string_view text)
{
    const std::size_t schemeEnd = text.find("://");
    if (schemeEnd == std::string_view::npos) {
        return badUrl("must begin with https:// or http://: write for example "
                      "\"https://api.example.com/v1\"");
    }
    const bool tls = equalsIgnoreCase(text.substr(0, schemeEnd), "https");
    if (!tls && !equalsIgnoreCase(text.substr(0, schemeEnd), "http")) {
        return badUrl(
            "must begin with https:// or http://, not " + quoted(text.substr(0, schemeEnd + 3)));
    }
    const std::string_view rest = text.substr(schemeEnd + 3);
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    std::string_view path = rest.substr(authority.size());
    if (authority.find('@') != std::string_view::npos) {
        return badUrl("must not hold a user name or password: give the key with api_key_env");
    }
    if (path.find_first_of("?#") != std::string_view::npos) {
        return badUrl("must not hold a query or a fragment: cut it before the ? or #");
    }
    const bool isVisible =
        std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
    if (!isVisible)
        return badUrl("must not hold spaces or letters outside ASCII: escape them with %");
    while (path.ends_with('/'))
        path.remove_suffix(1);
    if (const auto endpoint = endpointIn(path)) {
        std::string cut{text.substr(0, schemeEnd + 3 + authority.size())};
        cut += path.substr(0, path.size() - endpoint->size());
        return badUrl(
            "must end before " + std::string{*endpoint} + ", which Weir appends itself: write \"" +
            cut + '"');
    }
    const std::optional<Authority> parts = splitAuthority(authority);
    if (!parts || (!isHostName(parts->host) && !mayBeIpv6(parts->host))) {
        return badUrl("has no proper host: write for example \"https://api.example.com/v1\"");
    }
    std::optional<std::uint16_t> port = tls ? std::uint16_t{443} : std::uint16_t{80};
    if (parts->port) port = parsePort(*parts->port);
    if (!port || *port == 0) return badUrl("has a bad port: it is a number between 1 and 65535");
    return BaseUrl{tls, std::string{parts->host}, *port, std::string{path}};
}

} // namespace weir::config
