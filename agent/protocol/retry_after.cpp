// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/retry_after.h"

#include "agent/protocol/durations.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir::protocol {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// Hints stand near the front of an error body; a page that follows is not worth reading.
constexpr std::size_t kBodyBytesMax = 65536;

std::optional<std::string_view> find(std::span<const http::Field> fields, std::string_view name)
{
    for (const http::Field& field : fields) {
        if (equalsIgnoreCase(field.name, name)) return field.value;
    }
    return std::nullopt;
}

Milliseconds until(UtcTime then, UtcTime now)
{
    return std::max(then - now, Milliseconds{0});
}

/// The two headers in milliseconds, then RFC 9110 section 10.2.3, with fractions, which some send.
/// A header that stands twice counts where it can first be read.
std::optional<Milliseconds> fromRetryHeaders(std::span<const http::Field> fields, UtcTime now)
{
    for (const std::string_view name : {"retry-after-ms", "x-ms-retry-after-ms"}) {
        for (const http::Field& field : fields) {
            if (!equalsIgnoreCase(field.name, name)) continue;
            if (const auto number = decimal(field.value)) return fromMilliseconds(*number);
        }
    }
    for (const http::Field& field : fields) {
        if (!equalsIgnoreCase(field.name, "retry-after")) continue;
        if (const auto number = decimal(field.value)) return fromSeconds(*number);
        if (const auto date = httpDate(field.value)) return until(*date, now);
    }
    return std::nullopt;
}

/// A reset is told as a span ("6m0s", "12ms"), as seconds, as epoch seconds or milliseconds, or as
/// a date; the magnitude tells which.
std::optional<Milliseconds> fromReset(std::string_view value, UtcTime now)
{
    constexpr double kEpochSecondsMin = 1e9;
    constexpr double kEpochMsMin = 1e11;
    if (const auto number = decimal(value)) {
        if (*number >= kEpochMsMin) return until(UtcTime{fromMilliseconds(*number)}, now);
        if (*number >= kEpochSecondsMin) return until(UtcTime{fromSeconds(*number)}, now);
        return fromSeconds(*number);
    }
    if (const auto date = parseIso(value)) return until(*date, now);
    if (const auto date = httpDate(value)) return until(*date, now);
    const auto span = unitDuration(value);
    return span && span->rest.empty() ? std::optional{span->length} : std::nullopt;
}

struct LimitHeaders
{
    /// Empty = the reset is told only where the limit is used up.
    std::string_view remaining;
    std::string_view reset;
};

/// OpenAI and its followers, Anthropic, Cerebras, the IETF draft's three-field form, Mistral,
/// Azure.
constexpr std::array kLimits = {
    LimitHeaders{"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
    LimitHeaders{"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
    LimitHeaders{"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"},
    LimitHeaders{"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"},
    LimitHeaders{
        "anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"},
    LimitHeaders{
        "anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"},
    LimitHeaders{"x-ratelimit-remaining", "x-ratelimit-reset"},
    LimitHeaders{"x-ratelimit-remaining-requests-day", "x-ratelimit-reset-requests-day"},
    LimitHeaders{"x-ratelimit-remaining-tokens-minute", "x-ratelimit-reset-tokens-minute"},
    LimitHeaders{"ratelimit-remaining", "ratelimit-reset"},
    LimitHeaders{"ratelimitbysize-remaining", "ratelimitbysize-reset"},
    LimitHeaders{"", "x-rate-limit-reset-requests"},
    LimitHeaders{"", "x-rate-limit-reset-tokens"},
};

bool isUsedUp(std::span<const http::Field> fields, const LimitHeaders& limit)
{
    if (limit.remaining.empty()) return true;
    const auto remaining = find(fields, limit.remaining);
    const auto left = remaining ? decimal(*remaining) : std::nullopt;
    return left && *left <= 0;
}

/// The IETF draft's newer form, one field for all: `"api";r=0;t=55`.
std::optional<Milliseconds> fromRateLimit(std::span<const http::Field> fields)
{
    const auto value = find(fields, "ratelimit");
    if (!value || value->find(";r=0;") == std::string_view::npos) return std::nullopt;
    const std::size_t at = value->find(";t=");
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view seconds = value->substr(at + 3);
    const auto number = decimal(seconds.substr(0, seconds.find_first_of(";, ")));
    return number ? std::optional{fromSeconds(*number)} : std::nullopt;
}

/// The longest reset among the limits that are used up: earlier than that, one of them still
/// refuses.
std::optional<Milliseconds> fromLimits(std::span<const http::Field> fields, UtcTime now)
{
    std::optional<Milliseconds> longest = fromRateLimit(fields);
    for (const LimitHeaders& limit : kLimits) {
        if (!isUsedUp(fields, limit)) continue;
        const auto reset = find(fields, limit.reset);
        const auto wait = reset ? fromReset(*reset, now) : std::nullopt;
        if (wait) longest = std::max(longest.value_or(Milliseconds{0}), *wait);
    }
    return longest;
}

struct BodyHint
{
    /// Lower case; the duration follows, perhaps behind a colon, blanks and quotes.
    std::string_view before;
    /// What a bare number counts; 0 = a unit must be there.
    double msPerUnit;
};

constexpr std::array kBodyHints = {
    BodyHint{"\"retrydelay\"", 0},
    BodyHint{"\"retry_after_ms\"", 1},
    BodyHint{"\"retry_after_seconds\"", 1000},
    BodyHint{"\"retry_after\"", 1000},
    BodyHint{"try again in ", 0},
    BodyHint{"retry in ", 0},
    BodyHint{"retry after ", 0},
    BodyHint{"try again after ", 0},
    BodyHint{"please wait ", 0},
};

std::optional<Milliseconds> readHint(std::string_view text, const BodyHint& hint)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n:\""), text.size()));
    if (const auto span = unitDuration(text)) return span->length;
    if (hint.msPerUnit <= 0) return std::nullopt;
    const auto number = decimal(text.substr(0, text.find_first_not_of("0123456789.")));
    return number ? std::optional{fromMilliseconds(*number * hint.msPerUnit)} : std::nullopt;
}

/// OpenRouter puts the headers of a used-up limit into the body: `"X-RateLimit-Reset":"1796…"`.
std::optional<Milliseconds> fromQuotedReset(std::string_view lower, UtcTime now)
{
    constexpr std::string_view kUsedUp = "\"x-ratelimit-remaining\":\"0\"";
    constexpr std::string_view kReset = "\"x-ratelimit-reset\":\"";
    const std::size_t at = lower.find(kReset);
    if (at == std::string_view::npos || lower.find(kUsedUp) == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view value = lower.substr(at + kReset.size());
    return fromReset(value.substr(0, value.find('"')), now);
}

std::optional<Milliseconds> fromBody(std::string_view body, UtcTime now)
{
    std::string lower{body.substr(0, kBodyBytesMax)};
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    const std::string_view text = lower;
    for (const BodyHint& hint : kBodyHints) {
        const std::size_t at = text.find(hint.before);
        if (at == std::string_view::npos) continue;
        if (const auto wait = readHint(text.substr(at + hint.before.size()), hint)) return wait;
    }
    return fromQuotedReset(text, now);
}

} // namespace

std::optional<Milliseconds>
retryAfter(std::span<const http::Field> fields, std::string_view body, UtcTime now)
{
    if (const auto wait = fromRetryHeaders(fields, now)) return wait;
    if (const auto wait = fromLimits(fields, now)) return wait;
    return fromBody(body, now);
}

} // namespace weir::protocol
