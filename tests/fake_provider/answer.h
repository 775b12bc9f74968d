// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/plan.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fake {

/// One server-sent event; `name` is empty in OpenAI streams.
struct Event
{
    std::string name;
    std::string data;
};

/// The events before the text: role or message_start, reasoning, the start of the text block.
[[nodiscard]] std::vector<Event> openingEvents(const Plan& plan, UsageStyle style);

/// The event with this piece of text. `tokensSoFar` counts its tokens and those before.
[[nodiscard]] Event
textEvent(const Plan& plan, std::string_view text, std::uint64_t tokensSoFar, UsageStyle style);

/// The events after the text: tool calls, finish, usage, the end mark. `fault` may leave some out.
[[nodiscard]] std::vector<Event> closingEvents(const Plan& plan, UsageStyle style);

/// The event that reports an error inside a stream; `object` replaces the usual error if given.
[[nodiscard]] Event errorEvent(const Plan& plan, const std::optional<std::string>& object);

/// Bytes of one event, or of a comment, with the script's line ends.
[[nodiscard]] std::string framed(const Event& event, LineEnd lineEnd);
[[nodiscard]] std::string framedComment(std::string_view text, LineEnd lineEnd);

/// Bodies of JSON answers.
[[nodiscard]] std::string jsonAnswer(const Plan& plan, UsageStyle style);
[[nodiscard]] std::string jsonError(const Plan& plan, int status);
[[nodiscard]] std::string jsonModels(const std::vector<std::string>& models);

/// The fragments in which a call's arguments are streamed: two, because clients have to put
/// fragments together; no character is cut.
[[nodiscard]] std::array<std::string_view, 2> halvesOf(std::string_view text);

/// `text` as a JSON string, quotes included.
[[nodiscard]] std::string jsonText(std::string_view text);

} // namespace weir::fake
