// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::protocol {

/// By how much a request does not fit into a model's context.
struct Overflow
{
    /// What was asked for; with the room for the answer where the server counts it in.
    std::int64_t tokens = 0;
    std::int64_t maximum = 0;

    bool operator==(const Overflow&) const = default;
};

/// Reads the two figures out of a refusal, which each server words in its own way (wire case B040).
/// Nothing where the words are unknown, or where the figures would mean that the request fits.
/// `lower` is in lower case.
[[nodiscard]] std::optional<Overflow> readOverflow(std::string_view lower);

} // namespace weir::protocol
