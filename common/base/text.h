// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Text from outside, made fit for a database, a log line and a table cell: invalid UTF-8 (encoded
/// surrogates and overlong forms among it) and control characters, NUL too, become U+FFFD; at most
/// `maxCharacters` code points are kept. Only the field is harmed, never its row.
[[nodiscard]] std::string cleaned(std::string_view text, std::size_t maxCharacters = 256);

/// ASCII only, as HTTP field names are compared (RFC 9110 section 5.1).
[[nodiscard]] bool equalsIgnoreCase(std::string_view a, std::string_view b);

/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The elements of a comma-separated list (RFC 9110 section 5.6.1): trimmed, the empty ones left
/// out; views into `list`.
[[nodiscard]] std::vector<std::string_view> listElements(std::string_view list);

} // namespace weir
