// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/refusal.h"

#include "common/base/text.h"

#include <algorithm>

namespace weir::protocol {

std::string Place::path() const
{
    if (m_outer == nullptr) return {};
    const std::string outer = m_outer->path();
    if (m_name.empty()) return outer + '[' + std::to_string(m_index) + ']';
    constexpr std::size_t kNameCharactersMax = 64;
    const std::string name = cleaned(m_name, kNameCharactersMax);
    return outer.empty() ? name : outer + '.' + name;
}

bool Refusal::unsupported(const Place& place, std::string_view what)
{
    const std::string_view target =
        m_target == Protocol::Anthropic ? "Anthropic Messages" : "OpenAI Chat Completions";
    return refuse(
        place,
        "unsupported_parameter",
        "'" + place.path() + "': " + std::string{what} + " cannot be expressed in " +
            std::string{target} + ", which the route speaks.");
}

bool Refusal::invalid(const Place& place, std::string_view expected)
{
    return refuse(
        place,
        "invalid_value",
        "Invalid value for '" + place.path() + "': expected " + std::string{expected} + ".");
}

bool Refusal::onlyKnown(
    const json::Node& object, const Place& place, std::initializer_list<std::string_view> known)
{
    if (!object.isObject()) return invalid(place, "an object");
    for (const json::Node member : object) {
        if (!member.isGiven()) continue;
        const auto matches = [&](std::string_view name) { return member.key().is(name); };
        if (std::any_of(known.begin(), known.end(), matches)) continue;
        return unsupported(place.member(member.key().bytes));
    }
    return true;
}

bool Refusal::refuse(const Place& place, std::string_view code, const std::string& message)
{
    if (m_error) return false;
    ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.code = code;
    error.message = message;
    error.param = place.path();
    m_error = std::move(error);
    return false;
}

std::string quotedForMessage(const json::Node& word)
{
    constexpr std::size_t kWordCharactersMax = 64;
    return "'" + cleaned(word.text().value_or(std::string{}), kWordCharactersMax) + "'";
}

} // namespace weir::protocol
