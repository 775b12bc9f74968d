// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/route_window.h"

#include "common/model/throughput.h"

#include <algorithm>

namespace weir::admin {
namespace {

constexpr std::int64_t kWindowSeconds = 60;
constexpr std::int64_t kSlotSeconds = 5;
constexpr std::int64_t kWindowSlots = kWindowSeconds / kSlotSeconds + 1;

std::int64_t secondOf(Instant now)
{
    return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
}

/// The bucket for `index`, emptied if it held an older one; nothing if it already holds a newer
/// one.
template <class Ring>
auto* bucketFor(Ring& ring, std::int64_t index)
{
    auto& bucket = ring[static_cast<std::size_t>(index) % ring.size()];
    if (bucket.index > index) return static_cast<decltype(&bucket)>(nullptr);
    if (bucket.index < index) {
        bucket = {};
        bucket.index = index;
    }
    return &bucket;
}

} // namespace

void RouteWindow::add(const CallRecord& record, Instant now)
{
    const std::int64_t index = secondOf(now);
    if (Second* second = bucketFor(m_seconds, index)) {
        ++second->outcomes[static_cast<std::size_t>(record.outcome)];
        if (record.attempt == 1) ++second->requests;
        if (record.costMicroUsd) {
            second->costMicroUsd = second->costMicroUsd.value_or(0) + *record.costMicroUsd;
        }
    }
    const std::optional<std::int64_t> speed = milliTokensPerS(record);
    if (!record.ttftMs && !speed) return;
    if (FiveSeconds* slot = bucketFor(m_slots, index / kSlotSeconds)) {
        if (record.ttftMs) slot->ttftUs.add(*record.ttftMs * 1000);
        if (speed) slot->milliTokensPerS.add(*speed);
    }
}

WindowSum RouteWindow::sum(Instant now) const
{
    const std::int64_t index = secondOf(now);
    WindowSum result;
    for (const Second& second : m_seconds) {
        if (second.index < 0 || second.index <= index - kWindowSeconds) continue;
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            result.outcomes[i] += second.outcomes[i];
            result.attempts += second.outcomes[i];
        }
        result.requests += second.requests;
        if (second.costMicroUsd) {
            result.costMicroUsd = result.costMicroUsd.value_or(0) + *second.costMicroUsd;
        }
    }
    for (const FiveSeconds& slot : m_slots) {
        if (slot.index < 0 || slot.index <= index / kSlotSeconds - kWindowSlots) continue;
        result.ttftUs.merge(slot.ttftUs);
        result.milliTokensPerS.merge(slot.milliTokensPerS);
    }
    return result;
}

} // namespace weir::admin
