// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/answer.h"

/// Answers of OpenAI's Responses. The numbers of a stream's events are added where they are sent.
namespace weir::fake::responses {

[[nodiscard]] std::vector<Event> openingEvents(const Plan& plan);
[[nodiscard]] Event textEvent(const Plan& plan, std::string_view text);
[[nodiscard]] std::vector<Event> closingEvents(const Plan& plan);
[[nodiscard]] Event errorEvent(const std::optional<std::string>& object);
[[nodiscard]] std::string jsonAnswer(const Plan& plan);

} // namespace weir::fake::responses
