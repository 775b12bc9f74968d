// SPDX-License-Identifier: Apache-2.0
#include "agent/config/redis_url.h"

#include "agent/config/authority.h"

#include <charconv>
#include <optional>

namespace weir::config {
namespace {

constexpr std::string_view kScheme = "redis://";
/// Redis itself allows more; nobody has so many.
constexpr int kDatabaseMax = 65535;

tl::unexpected<Error> bad(std::string detail)
{
    return fail("bad_redis_url", "", std::move(detail));
}

std::optional<int> hexDigit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

std::optional<std::string> unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        const auto high = i + 1 < text.size() ? hexDigit(text[i + 1]) : std::nullopt;
        const auto low = i + 2 < text.size() ? hexDigit(text[i + 2]) : std::nullopt;
        if (!high || !low) return std::nullopt;
        plain += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return plain;
}

Status<> readUser(std::string_view info, RedisAddress& address)
{
    const std::size_t colon = info.find(':');
    if (colon == std::string_view::npos) {
        return bad("names a user without a password: write \"redis://user:password@host:6379\", or "
                   "\"redis://:password@host:6379\" for the default user");
    }
    const auto user = unescaped(info.substr(0, colon));
    auto password = unescaped(info.substr(colon + 1));
    if (!user || !password) {
        return bad("has a % without two hexadecimal digits behind it: write a % of the password as "
                   "%25");
    }
    if (password->empty()) return bad("has an empty password: leave out everything up to the @");
    address.user = *user;
    address.password = Secret(std::move(*password));
    return {};
}

Status<> readDatabase(std::string_view text, RedisAddress& address)
{
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, address.database);
    if (error == std::errc{} && at == end && address.database >= 0 &&
        address.database <= kDatabaseMax) {
        return {};
    }
    return bad("must have the number of a database behind the host's /, or nothing");
}

} // namespace

Result<RedisAddress> parseRedisUrl(std::string_view url)
{
    if (url.starts_with("rediss://")) {
        return bad(
            "asks for TLS, which the Redis library of this build does not have: run a TLS "
            "proxy beside the agent (stunnel, for example) that connects to that server, and "
            "write \"redis://127.0.0.1:PORT\" with the proxy's port");
    }
    if (!url.starts_with(kScheme)) {
        return bad("must be \"\" (in process) or \"redis://[user:password@]host:6379[/database]\"");
    }
    std::string_view rest = url.substr(kScheme.size());
    if (rest.find_first_of("?#") != std::string_view::npos) {
        return bad("must not hold a query or a fragment: cut it before the ? or #, and write those "
                   "of a password as %3F or %23");
    }
    RedisAddress address;
    const std::size_t slash = rest.find('/');
    const std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
    rest = rest.substr(0, slash);
    if (path.find('@') != std::string_view::npos) {
        return bad("has a / before its @: write a / of the password as %2F");
    }
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        if (auto read = readUser(rest.substr(0, at), address); !read) {
            return tl::unexpected(read.error());
        }
        rest.remove_prefix(at + 1);
    }
    const std::optional<Authority> parts = splitAuthority(rest);
    if (!parts || (!isHostName(parts->host) && !mayBeIpv6(parts->host))) {
        return bad("has no proper host: write for example \"redis://127.0.0.1:6379\", an IPv6 "
                   "address in brackets, and a / or @ of the password as %2F or %40");
    }
    address.host = parts->host;
    if (parts->port) {
        const auto port = parsePort(*parts->port);
        if (!port || *port == 0) return bad("has a bad port: it is a number between 1 and 65535");
        address.port = *port;
    }
    if (path.empty()) return address;
    if (auto read = readDatabase(path, address); !read) return tl::unexpected(read.error());
    return address;
}

} // namespace weir::config
