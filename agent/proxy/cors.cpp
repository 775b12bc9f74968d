// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/cors.h"

#include "agent/http/write.h"

#include <algorithm>

namespace weir::proxy {
namespace {

constexpr std::string_view kExposed =
    "X-Weir-Request-Id, X-Weir-Provider, X-Weir-Route, X-Weir-Mode, X-Weir-Reason, X-Weir-Level, "
    "X-Weir-Attempts, Retry-After, x-should-retry, request-id, x-request-id";

/// Seconds; browsers keep it for two hours at most.
constexpr std::uint64_t kMaxAge = 7200;

bool allowsAll(const std::vector<std::string>& origins)
{
    return std::find(origins.begin(), origins.end(), "*") != origins.end();
}

} // namespace

bool isAllowedOrigin(const std::vector<std::string>& origins, std::string_view origin)
{
    return allowsAll(origins) || std::find(origins.begin(), origins.end(), origin) != origins.end();
}

std::string corsFields(const std::vector<std::string>& origins, const http::RequestHead& head)
{
    std::string lines;
    if (origins.empty()) return lines;
    http::appendField(lines, "Vary", "Origin");
    const auto origin = head.find("origin");
    if (!origin || !isAllowedOrigin(origins, *origin)) return lines;
    http::appendField(lines, "Access-Control-Allow-Origin", allowsAll(origins) ? "*" : *origin);
    http::appendField(lines, "Access-Control-Expose-Headers", kExposed);
    return lines;
}

bool isPreflight(const std::vector<std::string>& origins, const http::RequestHead& head)
{
    const auto origin = head.find("origin");
    return head.method == "OPTIONS" && origin && head.find("access-control-request-method") &&
           isAllowedOrigin(origins, *origin);
}

std::string preflightFields(const http::RequestHead& head, std::string_view methods)
{
    std::string lines;
    http::appendField(lines, "Access-Control-Allow-Methods", methods);
    const auto wanted = head.find("access-control-request-headers");
    if (wanted) http::appendField(lines, "Access-Control-Allow-Headers", *wanted);
    http::appendField(lines, "Access-Control-Max-Age", kMaxAge);
    return lines;
}

} // namespace weir::proxy
