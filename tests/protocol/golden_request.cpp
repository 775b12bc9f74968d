// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_request.h"

#include "common/base/text.h"

#include <algorithm>
#include <charconv>

namespace weir::protocol::golden {
namespace {

constexpr std::string_view kUpstreamLine = "\nupstream:\n";

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line;
}

bool readSetting(std::string_view word, TranslationTarget& target)
{
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    if (name == "cache_marks") target.cacheMarks = true;
    if (name == "reasoning") target.reasoning = true;
    if (name == "no_stream_options") target.streamOptions = false;
    if (name == "max_tokens_name") target.maxTokensName = value;
    if (name == "max_output_tokens") {
        const char* const end = value.data() + value.size();
        return std::from_chars(value.data(), end, target.maxOutputTokens).ptr == end;
    }
    return name == "cache_marks" || name == "reasoning" || name == "no_stream_options" ||
           name == "max_tokens_name";
}

bool readTarget(std::string_view words, TranslationTarget& target)
{
    bool understood = true;
    while (!words.empty()) {
        const std::size_t blank = std::min(words.find(' '), words.size());
        understood = readSetting(words.substr(0, blank), target) && understood;
        words = trimmed(words.substr(blank));
    }
    return understood;
}

bool readLine(std::string_view key, std::string_view value, RequestCase& golden)
{
    if (key == "client") {
        const bool isAnthropic = value == "anthropic";
        golden.client = isAnthropic ? Protocol::Anthropic : Protocol::OpenAi;
        golden.target.protocol = isAnthropic ? Protocol::OpenAi : Protocol::Anthropic;
        return isAnthropic || value == "openai";
    }
    if (key == "target") return readTarget(value, golden.target);
    if (key == "refused") golden.refused = value;
    if (key == "says") golden.says = value;
    return key == "refused" || key == "says";
}

} // namespace

RequestCase readRequestCase(std::string_view text)
{
    RequestCase golden;
    golden.target.protocol = Protocol::Anthropic;
    golden.target.upstreamModel = "up";
    golden.target.maxOutputTokens = 8192;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line == "request:") break;
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t colon = std::min(line.find(':'), line.size());
        const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
        if (!readLine(line.substr(0, colon), value, golden)) golden.fault = std::string{line};
    }
    const std::size_t end = text.find(kUpstreamLine);
    golden.request = text.substr(0, end);
    if (end != std::string_view::npos) golden.upstream = text.substr(end + kUpstreamLine.size());
    return golden;
}

std::string_view requestIn(std::string_view text)
{
    return text.find("\nrequest:\n") == std::string_view::npos ? text
                                                               : readRequestCase(text).request;
}

std::string withoutBlanks(std::string_view json)
{
    std::string out;
    bool inString = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (!inString && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
        out += c;
        if (c == '"') inString = !inString;
        if (inString && c == '\\' && at + 1 < json.size()) out += json[++at];
    }
    return out;
}

} // namespace weir::protocol::golden
