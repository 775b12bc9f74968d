// SPDX-License-Identifier: Apache-2.0
#include "common/routing/route_history.h"

#include "common/base/assert.h"

namespace weir::routing {
namespace {

constexpr std::size_t kRingSize = static_cast<std::size_t>(kHistoryMinutes + kAheadMinutes);
constexpr std::uint32_t kTaskSlots = static_cast<std::uint32_t>(kTaskFamily * kLevels);

std::size_t placeOf(std::int64_t minute)
{
    constexpr auto kSize = static_cast<std::int64_t>(kRingSize);
    return static_cast<std::size_t>(((minute % kSize) + kSize) % kSize);
}

void count(std::vector<Sample>& samples, std::uint32_t slot, std::uint32_t times)
{
    const auto at = std::lower_bound(
        samples.begin(), samples.end(), slot, [](const Sample& sample, std::uint32_t wanted) {
            return sample.slot < wanted;
        });
    if (at != samples.end() && at->slot == slot) {
        at->count += times;
    } else {
        samples.insert(at, {slot, times});
    }
}

} // namespace

RouteHistory::RouteHistory(std::int64_t head)
    : m_head(head)
    , m_ring(kRingSize)
    , m_olderSamples(kSlots)
{
}

void RouteHistory::add(std::int64_t minute, const Sums& sums, std::span<const std::uint32_t> slots)
{
    WEIR_ASSERT(minute > m_head - kHistoryMinutes && minute <= m_head + kAheadMinutes);
    std::unique_ptr<Minute>& place = m_ring[placeOf(minute)];
    if (!place) {
        place = std::make_unique<Minute>();
        place->index = minute;
    }
    place->sums += sums;
    m_total += sums;
    if (minute <= m_head - kRecentMinutes) m_older += sums;
    for (const std::uint32_t slot : slots) {
        count(place->samples, slot, 1);
        const std::int64_t recent = slot >= kTaskSlots ? kRecentTaskMinutes : kRecentMinutes;
        if (minute <= m_head - recent) ++m_olderSamples[slot];
    }
}

const RouteHistory::Minute* RouteHistory::find(std::int64_t minute) const
{
    const Minute* found = m_ring[placeOf(minute)].get();
    return found != nullptr && found->index == minute ? found : nullptr;
}

void RouteHistory::move(const Minute& minute, Direction direction, bool tasks)
{
    for (const Sample& sample : minute.samples) {
        if ((sample.slot >= kTaskSlots) != tasks) continue;
        std::uint32_t& older = m_olderSamples[sample.slot];
        older = direction == Direction::In ? older + sample.count : older - sample.count;
    }
}

void RouteHistory::advance(std::int64_t head)
{
    if (head - m_head > kHistoryMinutes + kAheadMinutes) {
        *this = RouteHistory(head);
        return;
    }
    while (m_head < head) {
        ++m_head;
        if (const Minute* aged = find(m_head - kRecentMinutes)) {
            m_older += aged->sums;
            move(*aged, Direction::In, false);
        }
        if (const Minute* aged = find(m_head - kRecentTaskMinutes)) {
            move(*aged, Direction::In, true);
        }
        std::unique_ptr<Minute>& expired = m_ring[placeOf(m_head - kHistoryMinutes)];
        if (expired && expired->index == m_head - kHistoryMinutes) {
            m_total -= expired->sums;
            m_older -= expired->sums;
            move(*expired, Direction::Out, false);
            move(*expired, Direction::Out, true);
            expired.reset();
        }
    }
}

Sums RouteHistory::sums(std::int64_t first, std::int64_t last) const
{
    Sums result;
    for (std::int64_t minute = std::max(first, m_head - kHistoryMinutes + 1); minute <= last;
         ++minute) {
        if (const Minute* found = find(minute)) result += found->sums;
    }
    return result;
}

std::vector<Sample> RouteHistory::samples(
    std::int64_t first, std::int64_t last, std::size_t family, std::size_t familyEnd) const
{
    std::vector<Sample> gathered;
    for (std::int64_t minute = std::max(first, m_head - kHistoryMinutes + 1); minute <= last;
         ++minute) {
        const Minute* found = find(minute);
        if (found == nullptr) continue;
        for (const Sample& sample : found->samples) {
            if (sample.slot >= family * kLevels && sample.slot < familyEnd * kLevels) {
                gathered.push_back(sample);
            }
        }
    }
    std::sort(gathered.begin(), gathered.end(), [](const Sample& a, const Sample& b) {
        return a.slot < b.slot;
    });
    std::vector<Sample> merged;
    for (const Sample& sample : gathered) {
        if (!merged.empty() && merged.back().slot == sample.slot) {
            merged.back().count += sample.count;
        } else {
            merged.push_back(sample);
        }
    }
    return merged;
}

} // namespace weir::routing
