// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_node.h"

#include <charconv>
#include <cmath>

namespace weir::protocol::json {

std::string_view Node::raw() const
{
    return exists() ? m_entry->value : std::string_view{};
}

Raw Node::string() const
{
    return isString() ? Raw{m_entry->value.substr(1, m_entry->value.size() - 2)} : Raw{};
}

std::optional<std::string> Node::text() const
{
    return isString() ? string().text() : std::nullopt;
}

std::optional<std::int64_t> Node::integer() const
{
    if (!has(Type::Number)) return std::nullopt;
    const std::string_view digits = raw();
    const char* const end = digits.data() + digits.size();
    std::int64_t whole = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, whole);
    if (error == std::errc{} && stop == end) return whole;
    constexpr double kExactMax = 9007199254740992.0;
    const auto value = number();
    if (!value || std::abs(*value) > kExactMax || std::floor(*value) != *value) return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

std::optional<double> Node::number() const
{
    if (!has(Type::Number)) return std::nullopt;
    const std::string_view digits = raw();
    const char* const end = digits.data() + digits.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

Raw Node::key() const
{
    return Raw{exists() ? m_entry->key : std::string_view{}};
}

Node Node::operator[](std::string_view name) const
{
    Node found;
    if (!isObject()) return found;
    for (const Node member : *this) {
        if (member.key().is(name)) found = member;
    }
    return found;
}

Node::Iterator Node::begin() const
{
    return Iterator{exists() ? m_entry + 1 : nullptr};
}

Node::Iterator Node::end() const
{
    return Iterator{exists() ? m_entry + m_entry->span : nullptr};
}

} // namespace weir::protocol::json
