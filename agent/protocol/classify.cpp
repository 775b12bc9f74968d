// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/classify.h"

#include "agent/protocol/envelope.h"
#include "agent/protocol/failure_table.h"
#include "agent/protocol/failure_words.h"
#include "agent/protocol/retry_after.h"
#include "common/base/text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace weir::protocol {
namespace {

constexpr std::size_t kMessageBytesMax = 16384;

/// Plain text above this is a dump, not a sentence.
constexpr std::size_t kPlainTextBytesMax = 1024;

std::string lowered(std::string_view text)
{
    std::string lower{text};
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

bool fits(const FailureRule& rule, int status, const Envelope& envelope, const std::string& lower)
{
    if (status < rule.from || status > rule.to) return false;
    switch (rule.where) {
    case Where::Word:
        return equalsIgnoreCase(envelope.type, rule.needle) ||
               equalsIgnoreCase(envelope.code, rule.needle) ||
               std::any_of(envelope.words.begin(), envelope.words.end(), [&rule](const auto& word) {
                   return equalsIgnoreCase(word, rule.needle);
               });
    case Where::Text:
        return lower.find(rule.needle) != std::string::npos;
    case Where::Status:
        return true;
    }
    return false;
}

Outcome outcomeOf(int status, const Envelope& envelope, bool hasHint)
{
    const std::string lower = lowered(envelope.message + "\n" + envelope.inner);
    const auto rules = failureRules();
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const FailureRule& candidate) {
        return fits(candidate, status, envelope, lower);
    });
    const Outcome outcome = rule == rules.end() ? Outcome::ServerError : rule->outcome;
    // A 503 that says when to come back is load; without that it may be anything.
    constexpr int kUnavailable = 503;
    const bool isLoad = outcome == Outcome::ServerError && status == kUnavailable && hasHint;
    return isLoad ? Outcome::Overloaded : outcome;
}

/// The status for an error that came inside a 200 and names none, or under a status that is none.
int statusFor(Outcome outcome)
{
    switch (outcome) {
    case Outcome::BadRequest:
    case Outcome::ContextOverflow:
    case Outcome::Refused:
        return 400;
    case Outcome::Auth:
        return 401;
    case Outcome::NoCredit:
        return 402;
    case Outcome::ModelUnavailable:
        return 404;
    case Outcome::RateLimited:
        return 429;
    case Outcome::Overloaded:
        return 529;
    default:
        return 502;
    }
}

std::string neutralMessage(int status, Outcome outcome)
{
    if (outcome == Outcome::Malformed) return "The provider's answer could not be understood.";
    return "The provider answered with status " + std::to_string(status) + ".";
}

/// A provider may quote the key it was sent, which is not the client's to see.
bool maySpeakOfKey(int status, const std::string& message)
{
    constexpr int kUnauthorized = 401;
    const std::string lower = lowered(message);
    return status == kUnauthorized || lower.find("key") != std::string::npos ||
           lower.find("token") != std::string::npos || lower.find("bearer") != std::string::npos;
}

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::size_t last = text.find_last_not_of(kBlanks);
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string messageFor(int status, Outcome outcome, const Envelope& envelope, std::string_view body)
{
    std::string message = envelope.message;
    const std::string_view plain = withoutBlanks(body);
    if (!envelope.isError && !envelope.isHtml && plain.size() <= kPlainTextBytesMax &&
        !plain.starts_with('{') && !plain.starts_with('[')) {
        message = plain;
    }
    if (outcome == Outcome::Auth && maySpeakOfKey(status, message)) {
        return "The provider refused the credentials that are configured for it.";
    }
    if (message.empty()) return neutralMessage(status, outcome);
    if (message.size() > kMessageBytesMax) {
        // Cut between characters: continuation bytes of UTF-8 are 10xxxxxx.
        std::size_t end = kMessageBytesMax;
        while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U)
            --end;
        message.resize(end);
    }
    return message;
}

/// In the words, or in members beside them that only a look at the whole body finds.
std::optional<Overflow> overflowIn(const Envelope& envelope, std::string_view body)
{
    constexpr std::size_t kBodyBytesMax = 65536;
    std::string spoken = envelope.message + "\n" + envelope.inner + "\n";
    return readOverflow(lowered(spoken.append(body.substr(0, kBodyBytesMax))));
}

ApiError errorFor(int status, Outcome outcome, const Envelope& envelope, std::string_view body)
{
    ApiError error;
    error.status = status >= 400 && status < 600 ? status : statusFor(outcome);
    const FailureWords words = failureWords(outcome);
    error.type = envelope.type.empty() ? words.openAiType : envelope.type;
    error.code = envelope.type.empty() && envelope.code.empty() ? words.openAiCode : envelope.code;
    error.param = envelope.param;
    error.message = messageFor(error.status, outcome, envelope, body);
    if (outcome == Outcome::ContextOverflow) {
        // The words by which clients know that they must compact their history.
        if (error.status >= 500) error.status = 400;
        error.type = words.openAiType;
        error.code = words.openAiCode;
        error.overflow = overflowIn(envelope, body);
    }
    return error;
}

std::optional<bool> shouldRetryIn(std::span<const http::Field> fields)
{
    for (const http::Field& field : fields) {
        if (!equalsIgnoreCase(field.name, "x-should-retry")) continue;
        if (equalsIgnoreCase(field.value, "true")) return true;
        if (equalsIgnoreCase(field.value, "false")) return false;
    }
    return std::nullopt;
}

} // namespace

Failure
classify(int status, std::span<const http::Field> fields, std::string_view body, UtcTime now)
{
    const Envelope envelope = readEnvelope(body);
    const bool isSuccess = status >= 200 && status < 300;
    if (isSuccess && envelope.status != 0) status = envelope.status;
    Failure failure;
    failure.retryAfter = retryAfter(fields, envelope.isHtml ? std::string_view{} : body, now);
    failure.shouldRetry = shouldRetryIn(fields);
    failure.outcome = isSuccess && !envelope.isError
                          ? Outcome::Malformed
                          : outcomeOf(status, envelope, failure.retryAfter.has_value());
    failure.error = errorFor(status, failure.outcome, envelope, body);
    return failure;
}

} // namespace weir::protocol
