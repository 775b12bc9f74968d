// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/json_mutation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace weir::protocol {
namespace {

using nlohmann::ordered_json;

/// Values that mean something somewhere in a request.
constexpr std::array<std::string_view, 36> kWords = {
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "1.5",
    "[]",
    "{}",
    "[[]]",
    "\"\"",
    "\" \"",
    "\"auto\"",
    "\"none\"",
    "\"text\"",
    "\"tool\"",
    "\"user\"",
    "\"assistant\"",
    "\"system\"",
    "\"image\"",
    "\"thinking\"",
    "\"tool_result\"",
    "\"tool_use\"",
    "\"image_url\"",
    "\"file\"",
    "\"base64\"",
    "\"url\"",
    "\"function\"",
    "\"low\"",
    "\"enabled\"",
    "\"a\"",
    "\"functions.f:0\"",
    "\"{}\"",
    "\"weir:unsigned\"",
    "\"json_schema\"",
    "\"data:image/png;base64,AA\""};

constexpr std::array<std::string_view, 24> kNames = {
    "",        "type",          "role",          "content",    "text",        "id",
    "name",    "input",         "tool_call_id",  "tool_calls", "arguments",   "function",
    "refusal", "cache_control", "signature",     "thinking",   "tool_choice", "stop",
    "stream",  "system",        "output_config", "max_tokens", "tool_use_id", "is_error"};

void collect(ordered_json& value, std::vector<ordered_json*>& values)
{
    values.push_back(&value);
    if (!value.is_structured()) return;
    for (ordered_json& inner : value)
        collect(inner, values);
}

void change(ordered_json& document, std::mt19937& random)
{
    const auto below = [&random](std::size_t bound) { return random() % bound; };
    std::vector<ordered_json*> values;
    collect(document, values);
    ordered_json& value = *values[below(values.size())];
    switch (below(5)) {
    case 0:
        value = ordered_json::parse(kWords[below(kWords.size())]);
        return;
    case 1: {
        const ordered_json other = *values[below(values.size())];
        value = other;
        return;
    }
    case 2:
        if (value.is_array() && !value.empty()) value.erase(below(value.size()));
        if (value.is_object() && !value.empty()) value.erase(value.begin());
        return;
    case 3: {
        const ordered_json other = *values[below(values.size())];
        if (value.is_array()) value.insert(value.begin(), other);
        if (value.is_object()) value[std::string{kNames[below(kNames.size())]}] = other;
        return;
    }
    default:
        if (value.is_array()) std::shuffle(value.begin(), value.end(), random);
        if (value.is_object()) {
            value[std::string{kNames[below(kNames.size())]}] =
                ordered_json::parse(kWords[below(kWords.size())]);
        }
        return;
    }
}

} // namespace

std::string mutatedJson(std::string_view text, std::mt19937& random)
{
    constexpr std::size_t kBytesMax = 20000;
    ordered_json document = ordered_json::parse(text, nullptr, false);
    if (document.is_discarded()) return {};
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes)
        change(document, random);
    std::string out = document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return out.size() > kBytesMax ? std::string{} : out;
}

} // namespace weir::protocol
