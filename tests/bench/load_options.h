// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <string>

namespace weir::bench {

enum class LoadMode : std::uint8_t {
    /// Each connection sends its next request when it has the answer: how much goes through.
    Closed,
    /// Requests leave at fixed times whatever comes back, and latency counts from those times, so a
    /// stall delays everything that should have been sent during it (no coordinated omission).
    Open,
    /// Each connection opens one stream and keeps it: what a live stream costs in memory.
    Hold,
};

struct LoadOptions
{
    LoadMode mode = LoadMode::Closed;
    std::uint16_t port = 0;
    std::string path = "/v1/chat/completions";
    std::string model = "bench";
    int connections = 1;
    double ratePerS = 0.0;
    double seconds = 1.0;
    /// Before the measured time.
    double warmUpSeconds = 0.5;
    bool stream = false;
    int chunks = 0;
    int intervalUs = 0;
    int bodyBytes = 1024;

    /// Reads "--key value" pairs. Error code "bad_usage".
    [[nodiscard]] static Result<LoadOptions> read(int count, char** words);

    /// The bytes of one request.
    [[nodiscard]] std::string request() const;
};

} // namespace weir::bench
