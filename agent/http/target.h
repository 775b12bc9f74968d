// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::http {

/// `host [":" port]` (RFC 3986 section 3.2), never with user information (RFC 9110 section 4.2.4)
/// and never with an empty host (section 4.2.1).
[[nodiscard]] bool isAuthority(std::string_view text);

/// Reduces an absolute-form target to path and query (RFC 9112 section 3.2); origin-form stays as
/// it is, and so does the "*" of OPTIONS. False for what a server that is no tunnel cannot serve.
[[nodiscard]] bool reduceTarget(std::string_view method, std::string_view& target);

} // namespace weir::http
