// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/answer.h"

namespace weir::fake::anthropic {

[[nodiscard]] std::vector<Event> openingEvents(const Plan& plan);
[[nodiscard]] Event textEvent(const Plan& plan, std::string_view text);
[[nodiscard]] std::vector<Event> closingEvents(const Plan& plan);
[[nodiscard]] std::string jsonAnswer(const Plan& plan);

} // namespace weir::fake::anthropic
