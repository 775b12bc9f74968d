// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/result.h"
#include "common/sim/scenario.h"

#include <string>
#include <string_view>

namespace weir::sim {

/// Two providers of one model for an hour: b is cheap and leads, f is a quarter dearer. One task in
/// five seconds, of four to six calls.
[[nodiscard]] std::string sampleText();
/// The same with every `from` in it written as `to`; `from` must stand in it.
[[nodiscard]] std::string sampleWith(std::string_view from, std::string_view to);

/// Reads it, or stops the test.
[[nodiscard]] Scenario scenarioOf(const std::string& text);

/// The result as it would be written to a file.
[[nodiscard]] std::string bytesOf(const Scenario& scenario);

/// Attempts of a provider that were dispatched within [fromS, toS), and of all.
struct Share
{
    double calls = 0.0;
    double all = 0.0;
    double failures = 0.0;
    double rateLimited = 0.0;
    double explored = 0.0;

    [[nodiscard]] double ofAll() const { return all == 0.0 ? 0.0 : calls / all; }
};

[[nodiscard]] Share shareOf(
    const SimResult& result,
    const Scenario& scenario,
    std::string_view provider,
    double fromS,
    double toS);

} // namespace weir::sim
