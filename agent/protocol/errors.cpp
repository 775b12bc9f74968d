// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/errors.h"

#include <nlohmann/json.hpp>

namespace weir::protocol {
namespace {

/// Anthropic's error types by status (their API's error page); what is not listed there follows
/// from the hundreds.
std::string_view anthropicType(int status)
{
    switch (status) {
    case 401:
        return "authentication_error";
    case 402:
        return "billing_error";
    case 403:
        return "permission_error";
    case 404:
        return "not_found_error";
    case 413:
        return "request_too_large";
    case 429:
        return "rate_limit_error";
    case 503:
    case 529:
        return "overloaded_error";
    case 504:
        return "timeout_error";
    default:
        return status >= 500 ? "api_error" : "invalid_request_error";
    }
}

nlohmann::ordered_json textOrNull(const std::string& text)
{
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

} // namespace

std::string errorBody(Protocol protocol, const ApiError& error)
{
    nlohmann::ordered_json inner;
    nlohmann::ordered_json outer;
    if (protocol == Protocol::Anthropic) {
        inner["type"] =
            error.anthropicType.empty() ? anthropicType(error.status) : error.anthropicType;
        inner["message"] = error.message;
        if (!error.anthropicCode.empty()) inner["details"] = {{"error_code", error.anthropicCode}};
        outer["type"] = "error";
    } else {
        inner["message"] = error.message;
        inner["type"] = textOrNull(error.type);
        inner["param"] = textOrNull(error.param);
        inner["code"] = textOrNull(error.code);
    }
    outer["error"] = std::move(inner);
    return outer.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string errorEvent(Api api, const ApiError& error)
{
    if (api == Api::ChatCompletions) {
        return "data: " + errorBody(Protocol::OpenAi, error) + "\n\n";
    }
    std::string data = errorBody(Protocol::Anthropic, error);
    if (api == Api::Responses) {
        nlohmann::ordered_json event;
        event["type"] = "error";
        event["code"] = textOrNull(error.code);
        event["message"] = error.message;
        event["param"] = textOrNull(error.param);
        data = event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }
    return "event: error\ndata: " + data + "\n\n";
}

} // namespace weir::protocol
