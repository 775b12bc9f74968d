// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weir::routing {

/// The last half hour, a slot a minute: the longest look back of any detector of incidents.
template <class T>
class MinuteRing final
{
public:
    static constexpr std::int64_t kMinutes = 30;

    /// Adds the newest minute and returns the one that falls out.
    T push(const T& minute)
    {
        m_newest = (m_newest + 1) % m_slots.size();
        const T oldest = m_slots[m_newest];
        m_slots[m_newest] = minute;
        if (m_known < kMinutes) ++m_known;
        return oldest;
    }

    /// How many of the newest minutes were really observed.
    [[nodiscard]] std::int64_t known() const { return m_known; }

    /// 0 = the newest; below `kMinutes`.
    [[nodiscard]] const T& ago(std::int64_t minutes) const { return m_slots[index(minutes)]; }

    [[nodiscard]] T& ago(std::int64_t minutes) { return m_slots[index(minutes)]; }

private:
    [[nodiscard]] std::size_t index(std::int64_t minutes) const
    {
        const auto back = static_cast<std::size_t>(minutes);
        return back <= m_newest ? m_newest - back : m_newest + m_slots.size() - back;
    }

    std::array<T, kMinutes> m_slots{};
    std::size_t m_newest = 0;
    std::int64_t m_known = 0;
};

/// The first bad minute of the trouble seen now: the earliest bad one among the last `window`
/// minutes, and those bad without a gap before it. 0 where none is bad.
template <class T, class IsBad>
[[nodiscard]] std::int64_t onsetAgo(const MinuteRing<T>& ring, std::int64_t window, IsBad isBad)
{
    std::int64_t onset = 0;
    for (std::int64_t ago = 0; ago < window; ++ago) {
        if (isBad(ring.ago(ago))) onset = ago;
    }
    while (onset + 1 < MinuteRing<T>::kMinutes && isBad(ring.ago(onset + 1)))
        ++onset;
    return onset;
}

/// How many of the newest minutes in a row are not bad.
template <class T, class IsBad>
[[nodiscard]] std::int64_t calmMinutes(const MinuteRing<T>& ring, IsBad isBad)
{
    std::int64_t calm = 0;
    while (calm < MinuteRing<T>::kMinutes && !isBad(ring.ago(calm)))
        ++calm;
    return calm;
}

} // namespace weir::routing
