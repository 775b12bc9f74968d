// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace weir::routing {

/// Orders names and looks them up without copying them.
struct NamesLess
{
    using is_transparent = void; // NOLINT(readability-identifier-naming): the library's name

    template <class A, class B>
    bool operator()(const A& a, const B& b) const
    {
        return textsOf(a) < textsOf(b);
    }

private:
    template <class... Names>
    static std::array<std::string_view, sizeof...(Names)> textsOf(const std::tuple<Names...>& names)
    {
        const auto texts = [](const auto&... name) {
            return std::array<std::string_view, sizeof...(Names)>{name...};
        };
        return std::apply(texts, names);
    }

    template <std::size_t Size>
    static std::array<std::string_view, Size>
    textsOf(const std::array<std::string_view, Size>& names)
    {
        return names;
    }
};

} // namespace weir::routing
