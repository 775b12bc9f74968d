// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/strict.h"

#include "tests/fake_provider/strict_rules.h"

#include <algorithm>

namespace weir::fake {

bool isOneOf(std::string_view word, Names names)
{
    return std::find(names.begin(), names.end(), word) != names.end();
}

bool letsPass(const Script& script, const std::string& word)
{
    const auto& words = script.strictAlso;
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::string> unknownMember(const Json& object, Names known, const Script& script)
{
    if (!object.is_object()) return std::nullopt;
    for (const auto& [name, value] : object.items()) {
        if (!isOneOf(name, known) && !letsPass(script, name)) return name;
    }
    return std::nullopt;
}

const Json& memberOf(const Json& object, const char* name)
{
    static const Json kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(name);
    return found == object.end() ? kNull : *found;
}

std::string textIn(const Json& object, const char* name)
{
    const Json& member = memberOf(object, name);
    return member.is_string() ? member.get<std::string>() : std::string();
}

bool isIdentifier(std::string_view text, std::size_t lengthMax)
{
    return !text.empty() && text.size() <= lengthMax &&
           std::all_of(text.begin(), text.end(), [](char each) {
               return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                      (each >= '0' && each <= '9') || each == '_' || each == '-';
           });
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool isBase64(std::string_view text)
{
    const auto data = text.substr(0, text.find('='));
    const auto padding = text.substr(data.size());
    const bool clean = std::all_of(data.begin(), data.end(), [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
               (each >= '0' && each <= '9') || each == '+' || each == '/';
    });
    return !data.empty() && clean && text.size() % 4 == 0 && isOneOf(padding, {"", "=", "=="});
}

bool isWithin(const Json& object, const char* name, double low, double high)
{
    const Json& member = memberOf(object, name);
    if (member.is_null()) return true;
    return member.is_number() && member.get<double>() >= low && member.get<double>() <= high;
}

Status<>
checkStrictly(const Ask& ask, const Caller& caller, std::string_view body, const Script& script)
{
    const Json document = Json::parse(body, nullptr, false);
    Verdict verdict;
    if (ask.protocol == Protocol::Anthropic)
        checkAnthropic(document, caller, script, verdict);
    else if (ask.endpoint == Endpoint::Chat)
        checkChat(document, script, verdict);
    else if (ask.endpoint == Endpoint::Responses)
        checkResponses(document, script, verdict);
    return verdict.result();
}

} // namespace weir::fake
