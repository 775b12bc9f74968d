// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/histogram.h"
#include "common/base/time.h"
#include "common/model/call_record.h"

#include <array>
#include <cstdint>
#include <optional>

namespace weir::admin {

/// What a route did in the last minute.
struct WindowSum
{
    std::array<std::int64_t, kOutcomeCount> outcomes{};
    std::int64_t attempts = 0;
    std::int64_t requests = 0;
    /// Of the attempts whose cost is known; nothing where none is.
    std::optional<std::int64_t> costMicroUsd;
    Histogram ttftUs;
    /// Tenths of a token a second.
    Histogram milliTokensPerS;
};

/// One route's sliding minute: counts in buckets of one second; histograms, which are larger, in
/// buckets of five, so quantiles speak of the last 60 to 65 seconds. A bucket is taken into use
/// when its time comes, so an idle route costs nothing. Not thread-safe.
class RouteWindow final
{
public:
    void add(const CallRecord& record, Instant now);
    [[nodiscard]] WindowSum sum(Instant now) const;

private:
    struct Second
    {
        std::int64_t index = -1;
        std::array<std::uint32_t, kOutcomeCount> outcomes{};
        std::uint32_t requests = 0;
        std::optional<std::int64_t> costMicroUsd;
    };

    struct FiveSeconds
    {
        std::int64_t index = -1;
        Histogram ttftUs;
        Histogram milliTokensPerS;
    };

    /// Larger than the window, so that a reading clock a little behind still finds its second.
    static constexpr std::size_t kSeconds = 64;
    static constexpr std::size_t kSlots = 14;

    std::array<Second, kSeconds> m_seconds;
    std::array<FiveSeconds, kSlots> m_slots;
};

} // namespace weir::admin
