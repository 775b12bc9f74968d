// SPDX-License-Identifier: Apache-2.0
#include "common/quality/json_text.h"

namespace weir::quality {
namespace {

bool isTooDeep(std::string_view text)
{
    std::size_t depth = 0;
    bool inText = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inText) {
            if (c == '\\') ++i;
            if (c == '"') inText = false;
            continue;
        }
        if (c == '"') inText = true;
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && depth > 0) --depth;
        if (depth > kDepthMax) return true;
    }
    return false;
}

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t from = text.find_first_not_of(kBlanks);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

} // namespace

std::optional<nlohmann::json> parseJson(std::string_view text)
{
    if (text.size() > kTextBytesMax || isTooDeep(text)) return std::nullopt;
    nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    if (parsed.is_discarded()) return std::nullopt;
    return parsed;
}

std::string_view withoutFence(std::string_view text)
{
    constexpr std::string_view kFence = "```";
    const std::string_view whole = withoutBlanks(text);
    const std::size_t line = whole.find('\n');
    const bool isFenced = whole.size() > 2 * kFence.size() && whole.starts_with(kFence) &&
                          whole.ends_with(kFence) && line != std::string_view::npos &&
                          line < whole.size() - kFence.size();
    if (!isFenced) return text;
    return whole.substr(line + 1, whole.size() - kFence.size() - line - 1);
}

} // namespace weir::quality
