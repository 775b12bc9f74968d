// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_failure.h"

#include "common/base/text.h"

#include <algorithm>
#include <charconv>

namespace weir::protocol::golden {
namespace {

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line;
}

bool readStatus(std::string_view value, int& status)
{
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), status);
    return error == std::errc{} && end == value.data() + value.size();
}

bool readField(std::string_view value, std::vector<http::Field>& fields)
{
    const std::size_t colon = value.find(':');
    if (colon == std::string_view::npos) return false;
    fields.push_back({value.substr(0, colon), trimmed(value.substr(colon + 1))});
    return true;
}

bool readLine(std::string_view key, std::string_view value, FailureCase& golden)
{
    if (key == "from") {
        golden.from = value == "anthropic" ? Protocol::Anthropic : Protocol::OpenAi;
        return value == "anthropic" || value == "openai";
    }
    if (key == "status") return readStatus(value, golden.status);
    if (key == "header") return readField(value, golden.fields);
    if (key == "outcome") golden.outcome = value;
    if (key == "wait") golden.wait = value;
    if (key == "retry") golden.retry = value;
    if (key == "openai") golden.toOpenAi = value;
    if (key == "anthropic") golden.toAnthropic = value;
    if (key == "advice") golden.advice = value;
    return key == "outcome" || key == "wait" || key == "retry" || key == "openai" ||
           key == "anthropic" || key == "advice";
}

} // namespace

FailureCase readFailureCase(std::string_view text)
{
    FailureCase golden;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line == "body:") break;
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t colon = std::min(line.find(':'), line.size());
        const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
        if (!readLine(line.substr(0, colon), value, golden)) golden.fault = std::string{line};
    }
    // The last line's end is the file's, not the body's.
    if (text.ends_with('\n')) text.remove_suffix(1);
    golden.body = text;
    return golden;
}

std::string_view fieldOf(const FailureCase& golden, std::string_view name)
{
    const auto same = [name](const http::Field& field) {
        return equalsIgnoreCase(field.name, name);
    };
    const auto found = std::find_if(golden.fields.begin(), golden.fields.end(), same);
    return found == golden.fields.end() ? std::string_view{} : found->value;
}

} // namespace weir::protocol::golden
