// SPDX-License-Identifier: Apache-2.0
#include "common/quality/answer.h"

#include "common/quality/json_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace weir::quality {
namespace {

using Json = nlohmann::json;

std::string textOf(const Json& object, const char* key)
{
    const auto member = object.find(key);
    if (member == object.end() || !member->is_string()) return {};
    return member->get<std::string>();
}

/// A text, or the texts of a list of parts.
std::string contentOf(const Json& message)
{
    const auto content = message.find("content");
    if (content == message.end() || !content->is_array()) return textOf(message, "content");
    std::string text;
    for (const Json& part : *content) {
        if (part.is_object()) text += textOf(part, "text");
    }
    return text;
}

bool hasRefusal(const Json& message)
{
    if (!textOf(message, "refusal").empty()) return true;
    const auto content = message.find("content");
    if (content == message.end() || !content->is_array()) return false;
    return std::any_of(content->begin(), content->end(), [](const Json& part) {
        return part.is_object() && textOf(part, "type") == "refusal";
    });
}

std::vector<ToolCall> callsOf(const Json& message)
{
    std::vector<ToolCall> calls;
    const auto list = message.find("tool_calls");
    if (list == message.end() || !list->is_array()) return calls;
    for (const Json& each : *list) {
        const auto function = each.is_object() ? each.find("function") : each.end();
        if (!each.is_object() || function == each.end() || !function->is_object()) continue;
        calls.push_back({textOf(*function, "name"), textOf(*function, "arguments")});
    }
    return calls;
}

Ending endingOf(const Json& message, const std::string& finish)
{
    if (finish == "content_filter" || hasRefusal(message)) return Ending::Refused;
    return finish == "length" ? Ending::Cut : Ending::Whole;
}

/// Lower case, and every apostrophe the plain one.
std::string plainBeginning(std::string_view text)
{
    constexpr std::size_t kBeginning = 120;
    constexpr std::string_view kCurly = "\xe2\x80\x99";
    std::string plain;
    text = text.substr(0, kBeginning);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isCurly = text.substr(i).starts_with(kCurly);
        plain +=
            isCurly ? '\'' : static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
        if (isCurly) i += kCurly.size() - 1;
    }
    return plain;
}

} // namespace

Result<Answer> readChatAnswer(std::string_view json)
{
    const auto refuse = [](const char* detail) { return fail("not_an_answer", "", detail); };
    const std::optional<Json> root = parseJson(json);
    if (!root || !root->is_object()) return refuse("is no JSON object");
    const auto choices = root->find("choices");
    if (choices == root->end() || !choices->is_array() || choices->empty()) {
        return refuse("has no choices");
    }
    const Json& choice = choices->front();
    const auto message = choice.is_object() ? choice.find("message") : choice.end();
    if (!choice.is_object() || message == choice.end() || !message->is_object()) {
        return refuse("its first choice has no message");
    }
    return Answer{
        contentOf(*message),
        callsOf(*message),
        endingOf(*message, textOf(choice, "finish_reason"))};
}

bool soundsRefused(std::string_view text)
{
    constexpr std::array<std::string_view, 10> kOpenings{
        "i can't help with",
        "i cannot help with",
        "i can't assist",
        "i cannot assist",
        "i'm unable to",
        "i am unable to",
        "i won't be able to",
        "i'm not able to",
        "i can't provide",
        "i cannot provide"};
    const std::string beginning = plainBeginning(text);
    return std::any_of(kOpenings.begin(), kOpenings.end(), [&beginning](std::string_view opening) {
        return beginning.find(opening) != std::string::npos;
    });
}

} // namespace weir::quality
