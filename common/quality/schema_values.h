// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace weir::quality {

/// What JSON Schema says of single values. The schema's side has been surveyed.

/// `types` is one word or a list of them; 1.0 is an integer.
[[nodiscard]] bool isOfType(const nlohmann::json& types, const nlohmann::json& value);
[[nodiscard]] bool isOneOf(const nlohmann::json& list, const nlohmann::json& value);
/// True of what is no number.
[[nodiscard]] bool isMultipleOf(const nlohmann::json& step, const nlohmann::json& value);
[[nodiscard]] bool areUnique(const nlohmann::json& list);
[[nodiscard]] bool hasAll(const nlohmann::json& names, const nlohmann::json& object);
/// Code points.
[[nodiscard]] std::size_t characters(const std::string& text);
/// A keyword's number as a count.
[[nodiscard]] std::size_t count(const nlohmann::json& number);

} // namespace weir::quality
