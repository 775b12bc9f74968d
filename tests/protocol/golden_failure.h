// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"
#include "common/model/config.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol::golden {

/// One file of golden/failures: what a provider sent and what must come of it. README.md there says
/// how such a file is written. The views point into the file's text.
struct FailureCase
{
    Protocol from = Protocol::OpenAi;
    int status = 0;
    std::vector<http::Field> fields;
    std::string_view body;

    std::string_view outcome;
    /// Milliseconds; empty = no hint.
    std::string_view wait;
    /// "true" or "false"; empty = the provider does not say.
    std::string_view retry;
    /// "as it came", or "status type code param | message" (OpenAI), "status type | message"
    /// (Anthropic).
    std::string_view toOpenAi;
    std::string_view toAnthropic;
    /// "wait 2", "no", "wait 3600, no", …; empty = nothing is said.
    std::string_view advice;

    /// A line that could not be read.
    std::optional<std::string> fault;
};

/// Any text gives a case: a fuzzer's too.
[[nodiscard]] FailureCase readFailureCase(std::string_view text);

/// The value of a header field, or nothing.
[[nodiscard]] std::string_view fieldOf(const FailureCase& golden, std::string_view name);

} // namespace weir::protocol::golden
