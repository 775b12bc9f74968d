// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/stream_reader.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::golden {

/// One file of golden/answers or golden/streams: what a provider sent and what must come of it.
/// README.md beside them says how such a file is written.
struct AnswerCase
{
    Api upstream = Api::ChatCompletions;
    Protocol client = Protocol::OpenAi;
    bool dropUsageChunk = false;
    bool wantsUsage = false;

    std::string upstreamBytes;
    std::string clientBytes;
    /// The rest in the words of the file.
    std::string outcome;
    std::string finish;
    std::string usage;
    std::string output;

    /// A line that could not be read.
    std::optional<std::string> fault;

    [[nodiscard]] bool isTranslated() const;

    [[nodiscard]] StreamReader::Options options() const;
};

/// Any text gives a case: a fuzzer's too.
[[nodiscard]] AnswerCase readAnswerCase(std::string_view text);

/// "200/1000/-/7": uncached, cached, cache write, output; then "(3)" for reasoning tokens, "~" for
/// an estimate, "!" for a contradiction.
[[nodiscard]] std::string shownUsage(const TokenUsage& usage);

} // namespace weir::protocol::golden
