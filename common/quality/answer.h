// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::quality {

enum class Ending : std::uint8_t {
    Whole,
    /// Its output budget was used up: what there is of it may be cut anywhere.
    Cut,
    /// Said by the protocol, not guessed from the words.
    Refused,
};

struct ToolCall
{
    std::string name;
    /// JSON, if the model kept to it.
    std::string arguments;
};

/// What a model answered, in no protocol's words.
struct Answer
{
    std::string text;
    std::vector<ToolCall> calls;
    Ending ending = Ending::Whole;
};

/// Reads an OpenAI chat completion. Error "not_an_answer", which says nothing of its text.
[[nodiscard]] Result<Answer> readChatAnswer(std::string_view json);

/// Whether the text begins as refusals usually do. A weak sign, wrong in both directions, and in
/// English alone: shown apart, and no part of any score or rate.
[[nodiscard]] bool soundsRefused(std::string_view text);

} // namespace weir::quality
