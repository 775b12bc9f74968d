// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/quality/json_schema.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::proxy {

/// What two answers to one request are judged by. `request` is the body of that request, of either
/// protocol.

/// The schema that the answer was to keep; nothing where there is none, or it is one that cannot be
/// checked.
[[nodiscard]] std::optional<quality::JsonSchema> schemaAskedFor(std::string_view request);

/// A Chat Completions request that asks a model to grade both. All of it goes as data in JSON, so
/// that no text in it can pass for the grader's own orders; the verdict must repeat `token`, which
/// whoever wrote an answer cannot have known. Nothing where there is too much to be graded, or no
/// conversation.
[[nodiscard]] std::optional<std::string> gradingBody(
    std::string_view request,
    std::string_view first,
    std::string_view second,
    std::string_view token);

/// The two grades in a grader's answer, in ppm of 1: of its last JSON object that holds the token,
/// and `first` and `second`, both from 0 to 1. Nothing where it holds none.
[[nodiscard]] std::optional<std::array<std::int64_t, 2>>
gradesIn(std::string_view answer, std::string_view token);

} // namespace weir::proxy
