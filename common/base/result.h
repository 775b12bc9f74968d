// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

#include <string>

namespace weir {

/// What went wrong outside the hot path, for a person to read: `code` is a stable word for
/// programs, `where` is a file, key, address or table, `detail` says what is wrong and what to do
/// about it. Never holds a secret or a prompt.
struct Error
{
    std::string code;
    std::string where;
    std::string detail;

    /// One line: "where: detail".
    [[nodiscard]] std::string text() const
    {
        return where.empty() ? detail : where + ": " + detail;
    }

    bool operator==(const Error&) const = default;
};

template <class T, class E = Error>
using Result = tl::expected<T, E>;

/// Success with nothing to return, or an error.
template <class E = Error>
using Status = tl::expected<void, E>;

inline tl::unexpected<Error> fail(std::string code, std::string where, std::string detail)
{
    return tl::unexpected<Error>(Error{std::move(code), std::move(where), std::move(detail)});
}

} // namespace weir
