// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation_target.h"
#include "common/model/config.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::golden {

/// One file of golden/requests: a client's request and what must come of it. README.md there says
/// how such a file is written. The views point into the file's text.
struct RequestCase
{
    Protocol client = Protocol::OpenAi;
    TranslationTarget target;
    std::string_view request;

    /// The body that goes upstream; blanks between its values do not count.
    std::string_view upstream;
    /// The parameter that a refusal names, and a piece of its message.
    std::string_view refused;
    std::string_view says;

    /// A line that could not be read.
    std::optional<std::string> fault;
};

/// Any text gives a case: a fuzzer's too.
[[nodiscard]] RequestCase readRequestCase(std::string_view text);

/// The request alone; the whole text where it has not the form of such a file.
[[nodiscard]] std::string_view requestIn(std::string_view text);

/// JSON without the blanks between its values.
[[nodiscard]] std::string withoutBlanks(std::string_view json);

} // namespace weir::protocol::golden
