// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_answer.h"

#include "agent/http/chars.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::protocol::golden {
namespace {

constexpr std::string_view kUpstream = "--- upstream";
constexpr std::string_view kClient = "--- client";

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line;
}

bool readApi(std::string_view word, Api& api)
{
    if (word == "chat") api = Api::ChatCompletions;
    if (word == "messages") api = Api::Messages;
    if (word == "responses") api = Api::Responses;
    if (word == "embeddings") api = Api::Embeddings;
    return word == "chat" || word == "messages" || word == "responses" || word == "embeddings";
}

bool readOption(std::string_view word, AnswerCase& golden)
{
    if (word == "wants usage") golden.wantsUsage = true;
    if (word == "usage was added") golden.dropUsageChunk = true;
    return word == "wants usage" || word == "usage was added";
}

bool readLine(std::string_view key, std::string_view value, AnswerCase& golden)
{
    if (key == "upstream") return readApi(value, golden.upstream);
    if (key == "option") return readOption(value, golden);
    if (key == "client") {
        golden.client = value == "anthropic" ? Protocol::Anthropic : Protocol::OpenAi;
        return value == "anthropic" || value == "openai";
    }
    if (key == "outcome") golden.outcome = value;
    if (key == "finish") golden.finish = value;
    if (key == "usage") golden.usage = value;
    if (key == "output") golden.output = value;
    return key == "outcome" || key == "finish" || key == "usage" || key == "output";
}

/// The bytes that a section stands for: a text file cannot show all of them.
std::string bytesOf(std::string_view section)
{
    constexpr std::string_view kCarriageReturn = "␍";
    constexpr std::string_view kEnd = "␄";
    constexpr std::string_view kByte = "␛";
    std::string bytes;
    while (!section.empty()) {
        if (section.starts_with(kEnd)) break;
        if (section.starts_with(kCarriageReturn)) {
            bytes += '\r';
            section.remove_prefix(kCarriageReturn.size());
        } else if (section.starts_with(kByte) && section.size() >= kByte.size() + 2) {
            section.remove_prefix(kByte.size());
            bytes +=
                static_cast<char>(http::hexValue(section[0]) * 16 + http::hexValue(section[1]));
            section.remove_prefix(2);
        } else {
            bytes += section.front();
            section.remove_prefix(1);
        }
    }
    return bytes;
}

std::string shownCount(const std::optional<std::int64_t>& count)
{
    return count ? std::to_string(*count) : "-";
}

} // namespace

bool AnswerCase::isTranslated() const
{
    const bool isConversation = upstream == Api::ChatCompletions || upstream == Api::Messages;
    return isConversation && client != protocolOf(upstream);
}

StreamReader::Options AnswerCase::options() const
{
    StreamReader::Options options;
    options.dropUsageChunk = dropUsageChunk;
    options.wantsUsage = wantsUsage;
    if (isTranslated()) options.translateTo = client;
    return options;
}

AnswerCase readAnswerCase(std::string_view text)
{
    AnswerCase golden;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line == kUpstream) break;
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t colon = std::min(line.find(':'), line.size());
        const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
        if (!readLine(line.substr(0, colon), value, golden)) golden.fault = std::string{line};
    }
    const std::string end = "\n" + std::string{kClient} + "\n";
    const std::size_t split = text.find(end);
    if (split == std::string_view::npos) {
        golden.upstreamBytes = bytesOf(text);
        golden.clientBytes = golden.upstreamBytes;
    } else {
        golden.upstreamBytes = bytesOf(text.substr(0, split + 1));
        golden.clientBytes = bytesOf(text.substr(split + end.size()));
    }
    return golden;
}

std::string shownUsage(const TokenUsage& usage)
{
    std::string shown = shownCount(usage.inputUncached) + "/" + shownCount(usage.inputCached) +
                        "/" + shownCount(usage.cacheWrite) + "/" + shownCount(usage.output);
    if (usage.reasoning) shown += "(" + std::to_string(*usage.reasoning) + ")";
    if (usage.estimated) shown += "~";
    if (usage.inconsistent) shown += "!";
    return shown;
}

} // namespace weir::protocol::golden
