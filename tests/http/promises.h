// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::http::promises {

/// Reads `bytes` as a request, as a response and as a chunked body, each followed by anything, and
/// tells what the codec promises and did not keep: the same result for every split, no view outside
/// the message, nothing accepted that would be read otherwise when written again.
[[nodiscard]] std::optional<std::string> broken(std::string_view bytes);

} // namespace weir::http::promises
