// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/answer_head.h"

#include "agent/http/write.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>

namespace weir::proxy {
namespace {

/// It has no body, so no word about one either (RFC 9110 section 8.6).
constexpr int kNoContent = 204;

constexpr std::array<std::string_view, 7> kPassedNames = {
    "request-id",
    "x-request-id",
    "openai-processing-ms",
    "openai-version",
    "openai-model",
    "anthropic-organization-id",
    "cache-control"};
constexpr std::array<std::string_view, 2> kPassedPrefixes = {
    "x-ratelimit-", "anthropic-ratelimit-"};

bool isPassed(std::string_view name)
{
    const auto same = [name](std::string_view other) { return equalsIgnoreCase(name, other); };
    const auto begins = [name](std::string_view prefix) {
        return name.size() > prefix.size() &&
               equalsIgnoreCase(name.substr(0, prefix.size()), prefix);
    };
    return std::any_of(kPassedNames.begin(), kPassedNames.end(), same) ||
           std::any_of(kPassedPrefixes.begin(), kPassedPrefixes.end(), begins);
}

} // namespace

std::string passedFields(const http::ResponseHead& head)
{
    std::string lines;
    for (const http::Field& field : head.fields) {
        if (isPassed(field.name)) http::appendField(lines, field.name, field.value);
    }
    return lines;
}

std::string answerHead(
    int status,
    std::string_view contentType,
    const AnswerFields& fields,
    const AnswerFraming& framing,
    std::string_view passed)
{
    std::string head;
    head.reserve(512 + passed.size() + fields.cors.size());
    const bool hasContent = status != kNoContent;
    http::appendStatusLine(head, status);
    if (hasContent) http::appendField(head, "Content-Type", contentType);
    head += passed;
    head += fields.cors;
    http::appendField(head, "X-Weir-Request-Id", fields.requestId);
    if (!fields.provider.empty()) {
        http::appendField(head, "X-Weir-Provider", fields.provider);
        http::appendField(head, "X-Weir-Route", fields.route);
        http::appendField(head, "X-Weir-Reason", toWord(fields.reason));
    }
    if (fields.level) {
        const std::array<char, 2> level = {'L', static_cast<char>('0' + *fields.level)};
        http::appendField(head, "X-Weir-Level", std::string_view{level.data(), level.size()});
    }
    http::appendField(head, "X-Weir-Mode", toWord(fields.mode));
    http::appendField(head, "X-Weir-Attempts", static_cast<std::uint64_t>(fields.attempts));
    if (!fields.drill.empty()) http::appendField(head, "X-Weir-Drill", fields.drill);
    if (fields.retryAfter) {
        // Whole seconds, rounded up (contract section 2).
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(*fields.retryAfter);
        http::appendField(head, "Retry-After", static_cast<std::uint64_t>(seconds.count()));
    }
    if (fields.shouldRetry) {
        http::appendField(head, "x-should-retry", *fields.shouldRetry ? "true" : "false");
    }
    if (hasContent && framing.contentLength) {
        http::appendField(head, "Content-Length", *framing.contentLength);
    } else if (hasContent && framing.versionMinor >= 1) {
        http::appendField(head, "Transfer-Encoding", "chunked");
    }
    if (!framing.keepAlive) {
        http::appendField(head, "Connection", "close");
    } else if (framing.versionMinor == 0) {
        http::appendField(head, "Connection", "keep-alive");
    }
    http::appendBlankLine(head);
    return head;
}

} // namespace weir::proxy
