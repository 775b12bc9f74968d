// SPDX-License-Identifier: Apache-2.0
#include "agent/http/target.h"

#include "agent/http/chars.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::http {
namespace {

/// RFC 3986 section 3.2.2: a name or IPv4 address.
bool isRegName(std::string_view host)
{
    for (std::size_t i = 0; i < host.size(); ++i) {
        if (isIn(CharClass::Host, host[i])) continue;
        const bool escape = host[i] == '%' && i + 2 < host.size() && hexValue(host[i + 1]) >= 0 &&
                            hexValue(host[i + 2]) >= 0;
        if (!escape) return false;
        i += 2;
    }
    return !host.empty();
}

/// The inside of the brackets around an IPv6 (or later) address, not looked at more closely than
/// its characters: nobody connects to it.
bool isIpLiteral(std::string_view address)
{
    const auto fits = [](char c) { return isIn(CharClass::Host, c) || c == ':' || c == '%'; };
    return !address.empty() && std::all_of(address.begin(), address.end(), fits);
}

} // namespace

bool isAuthority(std::string_view text)
{
    const bool bracket = text.starts_with('[');
    const std::size_t end = bracket ? text.find(']') : std::min(text.find(':'), text.size());
    if (end == std::string_view::npos) return false;
    const std::string_view host = bracket ? text.substr(1, end - 1) : text.substr(0, end);
    const std::string_view port = text.substr(bracket ? end + 1 : end);
    if (bracket ? !isIpLiteral(host) : !isRegName(host)) return false;
    return port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), isDigit));
}

bool reduceTarget(std::string_view method, std::string_view& target)
{
    if (method == "CONNECT") return false;
    if (target.starts_with('/')) return true;
    if (target == "*") return method == "OPTIONS";
    const std::size_t colon = target.find("://");
    if (colon == std::string_view::npos) return false;
    const std::string_view scheme = target.substr(0, colon);
    if (!equalsIgnoreCase(scheme, "http") && !equalsIgnoreCase(scheme, "https")) return false;
    const std::size_t authority = colon + 3;
    const std::size_t path = std::min(target.find_first_of("/?", authority), target.size());
    if (!isAuthority(target.substr(authority, path - authority))) return false;
    if (path == target.size()) {
        // An empty path means "/": the slash before the authority is one.
        target = target.substr(colon + 2, 1);
        return true;
    }
    // A query straight after the authority means "/?…", of which there is no view; nobody sends it.
    target.remove_prefix(path);
    return target.front() == '/';
}

} // namespace weir::http
