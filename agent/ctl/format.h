// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::ctl {

/// Numbers and texts as people read them in a terminal. Pure; what is unknown is "–", never 0.

inline constexpr std::string_view kUnknown = "–";

/// How many cells of a terminal a text takes: two for East Asian wide characters and emoji, none
/// for combining marks.
[[nodiscard]] std::size_t cellsOf(std::string_view text);

/// At most `cells` wide, an ellipsis at the end where something was cut.
[[nodiscard]] std::string cutEnd(std::string_view text, std::size_t cells);
/// The same with the ellipsis in the middle, for names whose both ends tell them apart.
[[nodiscard]] std::string cutMiddle(std::string_view text, std::size_t cells);

/// "0.4 s", "12 s", "3 min", "5 h", "2 d".
[[nodiscard]] std::string formatAge(double seconds);
/// "640 ms", "1.2 s", "75 s", "3.5 min".
[[nodiscard]] std::string formatMs(std::optional<double> milliseconds);
/// "0", "0.02", "4.1", "41", "1,234": three figures are enough to see a rate move.
[[nodiscard]] std::string formatRate(std::optional<double> rate);
/// Of a share of 1: "0 %", "0.4 %", "93 %", "100 %"; never "100 %" or "0 %" for what is not.
[[nodiscard]] std::string formatShare(std::optional<double> share);
/// "1,234,567".
[[nodiscard]] std::string formatCount(std::optional<std::int64_t> count);
/// Exact dollars of micro-dollars: "$0.002265".
[[nodiscard]] std::string formatCost(std::optional<std::int64_t> microUsd);
/// What the code of a mode reason means ("the settings cannot be read"), or the code itself.
[[nodiscard]] std::string describeModeReason(std::string_view code);
/// A document for people and programs; `indent` -1 = on one line. Bytes that are no UTF-8 are
/// replaced.
[[nodiscard]] std::string dumped(const nlohmann::ordered_json& json, int indent = 2);

} // namespace weir::ctl
