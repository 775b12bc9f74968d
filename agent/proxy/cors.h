// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// `origins` (`[agent] cors_origins`) lets pages of this origin use the data plane: it stands in
/// the list exactly, or "*" does.
[[nodiscard]] bool
isAllowedOrigin(const std::vector<std::string>& origins, std::string_view origin);

/// The lines that let such a page read an answer, its own fields too. Other pages' browsers only
/// hear that the answer depends on the origin; nothing at all where no origin is configured.
[[nodiscard]] std::string
corsFields(const std::vector<std::string>& origins, const http::RequestHead& head);

/// A browser's question before the request itself (Fetch standard, "CORS-preflight request").
[[nodiscard]] bool
isPreflight(const std::vector<std::string>& origins, const http::RequestHead& head);

/// The further lines of its answer: what the path is served for, with any fields the page wants to
/// send, because the SDKs name their own.
[[nodiscard]] std::string preflightFields(const http::RequestHead& head, std::string_view methods);

} // namespace weir::proxy
