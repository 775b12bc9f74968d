// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/answer.h"

namespace weir::fake::openai {

[[nodiscard]] std::vector<Event> openingEvents(const Plan& plan, UsageStyle style);
[[nodiscard]] Event
textEvent(const Plan& plan, std::string_view text, std::uint64_t tokensSoFar, UsageStyle style);
[[nodiscard]] std::vector<Event> closingEvents(const Plan& plan, UsageStyle style);
[[nodiscard]] std::string jsonAnswer(const Plan& plan, UsageStyle style);

} // namespace weir::fake::openai
