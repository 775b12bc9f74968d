// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/errors.h"
#include "agent/protocol/json_node.h"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol {

/// A place in a client's request, which becomes text only where it must be named. Refers to the
/// place around it, which must live as long.
class Place final
{
public:
    constexpr Place() = default;

    [[nodiscard]] constexpr Place member(std::string_view name) const
    {
        return Place{this, name, 0};
    }

    [[nodiscard]] constexpr Place element(std::size_t index) const
    {
        return Place{this, {}, index};
    }

    /// "messages[3].content[1].type"; empty for the request itself.
    [[nodiscard]] std::string path() const;

private:
    constexpr Place(const Place* outer, std::string_view name, std::size_t index)
        : m_outer(outer)
        , m_name(name)
        , m_index(index)
    {
    }

    const Place* m_outer = nullptr;
    /// Empty for an element.
    std::string_view m_name;
    std::size_t m_index = 0;
};

/// Keeps the first reason why a request cannot be expressed in another protocol. The verbs return
/// false, for `return refusal.unsupported(…)`.
class Refusal final
{
public:
    explicit Refusal(Protocol target)
        : m_target(target)
    {
    }

    /// The target's protocol has no way to say `what`.
    bool unsupported(const Place& place, std::string_view what = "this parameter");

    /// What stands there makes no sense in the client's own protocol.
    bool invalid(const Place& place, std::string_view expected);

    /// Refuses what is no object, and the first given member that is none of `known`.
    [[nodiscard]] bool onlyKnown(
        const json::Node& object,
        const Place& place,
        std::initializer_list<std::string_view> known);

    [[nodiscard]] const std::optional<ApiError>& error() const { return m_error; }

private:
    bool refuse(const Place& place, std::string_view code, const std::string& message);

    Protocol m_target;
    std::optional<ApiError> m_error;
};

/// A type, role or name out of a request, for a message: cleaned and in quotes.
[[nodiscard]] std::string quotedForMessage(const json::Node& word);

} // namespace weir::protocol
