// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/config.h"

#include <string_view>

namespace weir::config {

/// "127.0.0.1:8790", "[::1]:8790" or "localhost:8790"; port 0 lets the system choose one. Error
/// code "bad_address", the detail continuing the sentence "listen: …".
[[nodiscard]] Result<Endpoint> parseEndpoint(std::string_view text);

/// 127.0.0.0/8, ::1 or localhost: nobody else's machine can reach it.
[[nodiscard]] bool isLoopback(std::string_view host);

/// "https://host[:port][/path]". A slash at the end is dropped; user names, queries, fragments and
/// the pasted address of an endpoint (…/chat/completions) are refused. Error code "bad_url"; the
/// detail does not repeat a text that may hold a password.
[[nodiscard]] Result<BaseUrl> parseBaseUrl(std::string_view text);

} // namespace weir::config
