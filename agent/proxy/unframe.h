// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"

#include <optional>
#include <span>
#include <string_view>

namespace weir::proxy {

struct Unframed
{
    std::string_view payload;
    std::optional<http::BodyError> error;
    /// Bytes behind the end of the body, which nobody asked for.
    bool surplus = false;
};

/// Moves the payload of `bytes` to their front, so that however many chunks arrived at once are one
/// piece for whoever reads and writes them.
[[nodiscard]] Unframed unframe(http::BodyReader& reader, std::span<char> bytes);

} // namespace weir::proxy
