// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace weir::quality {

/// Longest text that is looked at.
inline constexpr std::size_t kTextBytesMax = std::size_t{8} << 20U;
/// Objects and arrays in one another: what walks a document recursively stays within the stack.
inline constexpr std::size_t kDepthMax = 100;

/// One JSON document; nothing where it is none, longer than `kTextBytesMax`, or deeper than
/// `kDepthMax`. Of a repeated key the last value counts.
[[nodiscard]] std::optional<nlohmann::json> parseJson(std::string_view text);

/// The text without one Markdown code fence around all of it.
[[nodiscard]] std::string_view withoutFence(std::string_view text);

} // namespace weir::quality
