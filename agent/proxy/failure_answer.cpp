// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/failure_answer.h"

#include "agent/protocol/errors.h"
#include "agent/protocol/translated_error.h"

#include <algorithm>

namespace weir::proxy {
namespace {

bool quotesKey(const ProviderConfig& provider, std::string_view text)
{
    return !provider.apiKey.empty() &&
           text.find(provider.apiKey.reveal()) != std::string_view::npos;
}

/// Another try at another time may well succeed.
bool passesByItself(Outcome outcome)
{
    switch (outcome) {
    case Outcome::RateLimited:
    case Outcome::Overloaded:
    case Outcome::ServerError:
    case Outcome::Malformed:
    case Outcome::ConnectFailed:
    case Outcome::Reset:
    case Outcome::TtftTimeout:
    case Outcome::IdleTimeout:
    case Outcome::Deadline:
    case Outcome::StreamBroken:
        return true;
    default:
        return false;
    }
}

bool isLoad(Outcome outcome)
{
    return outcome == Outcome::RateLimited || outcome == Outcome::Overloaded;
}

bool isCallersDoing(Outcome outcome)
{
    return outcome == Outcome::BadRequest || outcome == Outcome::Refused ||
           outcome == Outcome::ContextOverflow;
}

int tellingRank(const AttemptResult& result)
{
    // A refused key and an answer that is none are told in our own words.
    const bool isOurs =
        !result.failure || result.outcome == Outcome::Auth || result.outcome == Outcome::Malformed;
    if (isOurs) return 0;
    if (result.outcome == Outcome::ContextOverflow) return 2;
    if (isCallersDoing(result.outcome)) return 4;
    return passesByItself(result.outcome) ? 3 : 1;
}

/// Clients compact their history when they read these words, and only then (wire case B040).
bool hasOverflowWords(Protocol protocol, std::string_view body)
{
    const auto has = [body](std::string_view words) {
        return body.find(words) != std::string_view::npos;
    };
    if (protocol == Protocol::OpenAi) return has("\"context_length_exceeded\"");
    return has("prompt is too long:") || has("exceed context limit:");
}

/// A refusal in the provider's own shape passes as it came; one found inside a 200, an HTML page,
/// a status that no client expects and an overflow in words of its own are put into the protocol's.
bool passesAsItCame(Protocol protocol, const ProviderConfig& provider, const AttemptResult& result)
{
    if (!result.hasAnswer || provider.protocol != protocol) return false;
    const int status = result.httpStatus.value_or(0);
    if (status < 400 || status > 599) return false;
    const std::string_view original = result.answer.view();
    const bool isOverflow = result.outcome == Outcome::ContextOverflow;
    if (isOverflow && !hasOverflowWords(protocol, original)) return false;
    const std::size_t start = original.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && original[start] == '{';
}

/// Of an answer that no provider has put into words.
protocol::ApiError ownError(Outcome outcome)
{
    protocol::ApiError error;
    error.code = toWord(outcome);
    switch (outcome) {
    case Outcome::TtftTimeout:
    case Outcome::IdleTimeout:
    case Outcome::Deadline:
        error.status = 504;
        break;
    case Outcome::ClientCancelled:
        // Nobody else hears this: the agent itself is going down.
        error.status = 503;
        error.message = "the agent is stopping";
        break;
    default:
        error.status = 502;
        break;
    }
    return error;
}

FailureAnswer
ownWords(Protocol protocol, const ProviderConfig& provider, const AttemptResult& result)
{
    protocol::ApiError error = ownError(result.outcome);
    if (result.outcome == Outcome::Auth) {
        error.message = "provider " + provider.name + " refuses the key that Weir has for it";
    } else if (error.message.empty()) {
        error.message = "provider " + provider.name + " did not answer: " + result.detail;
    }
    FailureAnswer answer;
    answer.status = error.status;
    answer.body = protocol::errorBody(protocol, error);
    return answer;
}

} // namespace

bool quotesKey(
    const std::map<std::string, ProviderConfig, std::less<>>& providers, std::string_view text)
{
    return std::any_of(providers.begin(), providers.end(), [text](const auto& each) {
        return quotesKey(each.second, text);
    });
}

std::size_t mostTelling(const std::vector<AttemptResult>& results)
{
    std::size_t telling = 0;
    for (std::size_t i = 1; i < results.size(); ++i) {
        if (tellingRank(results[i]) >= tellingRank(results[telling])) telling = i;
    }
    return telling;
}

Advice adviceFor(const std::vector<AttemptResult>& results, std::size_t telling)
{
    constexpr std::chrono::seconds kKeptMax{60};
    constexpr std::chrono::seconds kDefault{1};
    const AttemptResult& told = results[telling];
    Advice advice;
    if (told.failure) advice.shouldRetry = told.failure->shouldRetry;
    if (!isCallersDoing(told.outcome)) {
        for (const AttemptResult& each : results) {
            if (!passesByItself(each.outcome) || !each.failure || !each.failure->retryAfter)
                continue;
            const auto wait = *each.failure->retryAfter;
            advice.retryAfter = std::min(advice.retryAfter.value_or(wait), wait);
        }
        if (isLoad(told.outcome) && !advice.retryAfter) advice.retryAfter = kDefault;
    }
    const bool isUseless = isCallersDoing(told.outcome) || advice.retryAfter > kKeptMax ||
                           std::none_of(results.begin(), results.end(), [](const auto& each) {
                               return passesByItself(each.outcome);
                           });
    // The agent that is stopping says nothing of the providers.
    const bool isOurEnd = told.outcome == Outcome::ClientCancelled;
    if (isUseless && !isOurEnd && !advice.shouldRetry) advice.shouldRetry = false;
    return advice;
}

void tellInstead(AttemptResult& result, std::string_view text)
{
    if (!result.failure) {
        result.failure.emplace();
        result.failure->outcome = result.outcome;
        result.failure->error = ownError(result.outcome);
    }
    // Not the provider's own body, then.
    result.hasAnswer = false;
    result.failure->error.message = text;
}

FailureAnswer
failureAnswer(Protocol protocol, const ProviderConfig& provider, AttemptResult& result)
{
    if (!result.failure || result.outcome == Outcome::Auth) {
        return ownWords(protocol, provider, result);
    }
    const protocol::ApiError& error = result.failure->error;
    const std::string_view original = result.answer.view();
    if (quotesKey(provider, original) || quotesKey(provider, error.message)) {
        result.detail = "its error could not be passed on";
        return ownWords(protocol, provider, result);
    }
    FailureAnswer answer;
    answer.passed = result.passed;
    if (passesAsItCame(protocol, provider, result)) {
        answer.status = *result.httpStatus;
        answer.contentType = result.contentType;
        answer.body = original;
        return answer;
    }
    const protocol::ApiError told =
        protocol::translated(*result.failure, provider.protocol, protocol);
    answer.status = told.status;
    answer.body = protocol::errorBody(protocol, told);
    return answer;
}

} // namespace weir::proxy
