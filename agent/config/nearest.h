// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::config {

/// The candidate that a person most likely meant by `word`: the one with the fewest insertions,
/// deletions, substitutions and swaps of neighbours, letter case apart; else the only one that
/// begins with it. Nothing where none is within a third of the word's length (at least one edit):
/// a far-fetched guess is worse than none.
[[nodiscard]] std::optional<std::string_view>
nearest(std::string_view word, std::span<const std::string_view> candidates);

/// ": did you mean x?", or where nothing is near ": known are a, b, c" (at most twelve of them).
[[nodiscard]] std::string
suggestion(std::string_view word, std::span<const std::string_view> candidates);

} // namespace weir::config
