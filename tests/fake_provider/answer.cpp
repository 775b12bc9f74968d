// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/answer.h"

#include "tests/fake_provider/answer_anthropic.h"
#include "tests/fake_provider/answer_openai.h"
#include "tests/fake_provider/answer_responses.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace weir::fake {

namespace {

struct StatusWords
{
    int status;
    std::string_view openAiType;
    std::string_view openAiCode;
    std::string_view anthropicType;
    std::string_view message;
};

constexpr std::array kStatusWords{
    StatusWords{
        400,
        "invalid_request_error",
        "invalid_value",
        "invalid_request_error",
        "The request is not valid"},
    StatusWords{
        401,
        "invalid_request_error",
        "invalid_api_key",
        "authentication_error",
        "Incorrect API key provided"},
    StatusWords{
        402,
        "insufficient_quota",
        "insufficient_credits",
        "billing_error",
        "Insufficient credits to serve this request"},
    StatusWords{
        403, "permission_error", "forbidden", "permission_error", "This key may not use the model"},
    StatusWords{
        404,
        "invalid_request_error",
        "model_not_found",
        "not_found_error",
        "The model does not exist"},
    StatusWords{
        413,
        "invalid_request_error",
        "request_too_large",
        "request_too_large",
        "Request exceeds the maximum size"},
    StatusWords{
        422,
        "invalid_request_error",
        "invalid_value",
        "invalid_request_error",
        "The request cannot be processed"},
    StatusWords{
        429,
        "rate_limit_error",
        "rate_limit_exceeded",
        "rate_limit_error",
        "Rate limit reached for requests"},
    StatusWords{
        503, "server_error", "service_unavailable", "api_error", "The service is unavailable"},
    StatusWords{529, "overloaded_error", "overloaded", "overloaded_error", "Overloaded"},
};
constexpr StatusWords kOther{
    0, "server_error", "internal_error", "api_error", "Internal server error"};

const StatusWords& wordsFor(int status)
{
    const auto* const found =
        std::find_if(kStatusWords.begin(), kStatusWords.end(), [&](const StatusWords& each) {
            return each.status == status;
        });
    return found == kStatusWords.end() ? kOther : *found;
}

std::string_view lineEndOf(LineEnd lineEnd)
{
    switch (lineEnd) {
    case LineEnd::CrLf:
        return "\r\n";
    case LineEnd::Cr:
        return "\r";
    case LineEnd::Lf:
        break;
    }
    return "\n";
}

} // namespace

std::vector<Event> openingEvents(const Plan& plan, UsageStyle style)
{
    if (plan.endpoint == Endpoint::Responses) return responses::openingEvents(plan);
    return plan.protocol == Protocol::OpenAi ? openai::openingEvents(plan, style)
                                             : anthropic::openingEvents(plan);
}

Event textEvent(
    const Plan& plan, std::string_view text, std::uint64_t tokensSoFar, UsageStyle style)
{
    if (plan.endpoint == Endpoint::Responses) return responses::textEvent(plan, text);
    return plan.protocol == Protocol::OpenAi ? openai::textEvent(plan, text, tokensSoFar, style)
                                             : anthropic::textEvent(plan, text);
}

std::vector<Event> closingEvents(const Plan& plan, UsageStyle style)
{
    if (plan.endpoint == Endpoint::Responses) return responses::closingEvents(plan);
    return plan.protocol == Protocol::OpenAi ? openai::closingEvents(plan, style)
                                             : anthropic::closingEvents(plan);
}

Event errorEvent(const Plan& plan, const std::optional<std::string>& object)
{
    if (plan.endpoint == Endpoint::Responses) return responses::errorEvent(object);
    return {
        plan.protocol == Protocol::Anthropic ? "error" : "",
        object ? *object : jsonError(plan, 529)};
}

std::string framed(const Event& event, LineEnd lineEnd)
{
    const std::string_view end = lineEndOf(lineEnd);
    std::string bytes;
    bytes.reserve(event.name.size() + event.data.size() + 24);
    if (!event.name.empty()) bytes.append("event: ").append(event.name).append(end);
    return bytes.append("data: ").append(event.data).append(end).append(end);
}

std::string framedComment(std::string_view text, LineEnd lineEnd)
{
    const std::string_view end = lineEndOf(lineEnd);
    return std::string(": ").append(text).append(end).append(end);
}

std::string jsonAnswer(const Plan& plan, UsageStyle style)
{
    if (plan.endpoint == Endpoint::Responses) return responses::jsonAnswer(plan);
    if (plan.endpoint == Endpoint::Chat)
        return plan.protocol == Protocol::OpenAi ? openai::jsonAnswer(plan, style)
                                                 : anthropic::jsonAnswer(plan);
    // The same four numbers either way, as they come and as little-endian floats in base64.
    const std::string_view vector =
        plan.base64Embeddings ? "\"AACAPgAAAL8AAAA+AACAPw==\"" : "[0.25,-0.5,0.125,1.0]";
    std::string body = "{\"object\":\"list\",\"data\":[";
    for (std::uint64_t at = 0; at < plan.embeddings; ++at)
        body += std::string(at == 0 ? "" : ",") +
                "{\"object\":\"embedding\",\"index\":" + std::to_string(at) +
                ",\"embedding\":" + std::string(vector) + "}";
    const std::string tokens = std::to_string(plan.usage.input);
    return body + "],\"model\":" + jsonText(plan.model) +
           ",\"usage\":{\"prompt_tokens\":" + tokens + ",\"total_tokens\":" + tokens + "}}";
}

std::string jsonError(const Plan& plan, int status)
{
    const StatusWords& words = wordsFor(status);
    const std::string message =
        jsonText(plan.errorMessage.empty() ? words.message : std::string_view(plan.errorMessage));
    if (plan.protocol == Protocol::Anthropic)
        return "{\"type\":\"error\",\"error\":{\"type\":" + jsonText(words.anthropicType) +
               ",\"message\":" + message + "},\"request_id\":\"req_fake_" +
               std::to_string(plan.number) + "\"}";
    const std::string code =
        jsonText(plan.errorCode.empty() ? words.openAiCode : std::string_view(plan.errorCode));
    return "{\"error\":{\"message\":" + message + ",\"type\":" + jsonText(words.openAiType) +
           ",\"param\":" + (plan.errorParam.empty() ? "null" : jsonText(plan.errorParam)) +
           ",\"code\":" + code + "}}";
}

std::string jsonModels(const std::vector<std::string>& models)
{
    std::string body = "{\"object\":\"list\",\"data\":[";
    const std::vector<std::string> anyModel{"fake-model"};
    const std::vector<std::string>& named = models.empty() ? anyModel : models;
    for (const std::string& model : named)
        body += std::string(&model == &named.front() ? "" : ",") + "{\"id\":" + jsonText(model) +
                ",\"object\":\"model\",\"created\":1700000000,\"owned_by\":\"fake\"}";
    return body + "]}";
}

std::array<std::string_view, 2> halvesOf(std::string_view text)
{
    std::size_t half = text.size() / 2;
    while (half > 0 && (static_cast<unsigned char>(text[half]) & 0xc0u) == 0x80u)
        --half;
    return {text.substr(0, half), text.substr(half)};
}

std::string jsonText(std::string_view text)
{
    const bool plain = std::none_of(text.begin(), text.end(), [](char each) {
        return each == '"' || each == '\\' || static_cast<unsigned char>(each) < 0x20;
    });
    if (plain) return std::string("\"").append(text).append("\"");
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace weir::fake
