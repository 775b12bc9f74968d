// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/translated_error.h"

#include "agent/protocol/failure_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace weir::protocol {
namespace {

constexpr std::string_view kTooLong = "prompt is too long: ";

struct Renamed
{
    std::string_view from;
    std::string_view to;
};

/// `max_tokens` is a name in both protocols.
constexpr std::array kForAnthropic = {
    Renamed{"max_completion_tokens", "max_tokens"},
    Renamed{"stop", "stop_sequences"},
    Renamed{"prompt", "messages"},
    Renamed{"input", "messages"},
    Renamed{"reasoning_effort", "thinking"},
    Renamed{"parallel_tool_calls", "tool_choice"},
    Renamed{"response_format", "output_config"},
    Renamed{"user", "metadata"},
};

constexpr std::array kForOpenAi = {
    Renamed{"stop_sequences", "stop"},
    Renamed{"system", "messages"},
    Renamed{"thinking", "reasoning_effort"},
    Renamed{"output_config", "response_format"},
    Renamed{"output_format", "response_format"},
    Renamed{"metadata", "user"},
};

/// What a path before Anthropic's words may begin with.
constexpr std::array<std::string_view, 16> kAnthropicMembers = {
    "max_tokens",
    "messages",
    "metadata",
    "model",
    "output_config",
    "output_format",
    "service_tier",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
};

constexpr bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

/// "messages" of "messages[2].content" and of "messages.2.content".
std::string_view headOf(std::string_view path)
{
    const auto* const end = std::find_if_not(path.begin(), path.end(), isNameCharacter);
    return path.substr(0, static_cast<std::size_t>(end - path.begin()));
}

/// The index behind the head: of `tools` it is the client's own.
std::string_view indexOf(std::string_view path)
{
    path.remove_prefix(std::min(path.find_first_not_of("[.", headOf(path).size()), path.size()));
    return path.substr(0, std::min(path.find_first_not_of("0123456789"), path.size()));
}

template <std::size_t N>
std::string_view renamed(const std::array<Renamed, N>& names, std::string_view name)
{
    for (const Renamed& each : names) {
        if (each.from == name) return each.to;
    }
    return name;
}

std::string openAiName(std::string_view path)
{
    const std::string_view head = headOf(path);
    if (head == "tools" && !indexOf(path).empty()) {
        return "tools[" + std::string{indexOf(path)} + "]";
    }
    return std::string{renamed(kForOpenAi, head)};
}

std::string anthropicName(std::string_view path)
{
    const std::string_view head = headOf(path);
    if (head == "tools" && !indexOf(path).empty()) return "tools." + std::string{indexOf(path)};
    return std::string{renamed(kForAnthropic, head)};
}

/// Anthropic puts the path in front: "messages.3.content: Field required".
std::string_view pathBefore(std::string_view message)
{
    const std::string_view head = headOf(message);
    const bool isMember = std::find(kAnthropicMembers.begin(), kAnthropicMembers.end(), head) !=
                          kAnthropicMembers.end();
    const std::size_t end = message.find_first_of(": ");
    const bool isPath = end != std::string_view::npos && message[end] == ':';
    return isMember && isPath ? message.substr(0, end) : std::string_view{};
}

ApiError forOpenAi(const Failure& failure)
{
    ApiError error = failure.error;
    const FailureWords words = failureWords(failure.outcome);
    error.type = words.openAiType;
    error.code = words.openAiCode;
    error.param = openAiName(error.param.empty() ? pathBefore(error.message) : error.param);
    return error;
}

ApiError forAnthropic(const Failure& failure)
{
    ApiError error = failure.error;
    error.anthropicType = failureWords(failure.outcome).anthropicType;
    const std::string name = anthropicName(error.param);
    const bool isMissing =
        failure.outcome == Outcome::BadRequest && !name.empty() && !error.message.starts_with(name);
    if (isMissing) error.message = name + ": " + error.message;
    error.param = name;
    return error;
}

ApiError overflowFor(Protocol to, ApiError error)
{
    error.status = 400;
    error.param = "messages";
    if (to == Protocol::OpenAi) return error;
    if (error.overflow) {
        error.message = std::string{kTooLong} + std::to_string(error.overflow->tokens) +
                        " tokens > " + std::to_string(error.overflow->maximum) + " maximum";
    } else if (!error.message.starts_with(kTooLong)) {
        error.message.insert(0, kTooLong);
    }
    return error;
}

} // namespace

ApiError translated(const Failure& failure, Protocol from, Protocol to)
{
    if (failure.outcome == Outcome::ContextOverflow) return overflowFor(to, failure.error);
    if (from == to) return failure.error;
    return to == Protocol::OpenAi ? forOpenAi(failure) : forAnthropic(failure);
}

} // namespace weir::protocol
