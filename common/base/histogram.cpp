// SPDX-License-Identifier: Apache-2.0
#include "common/base/histogram.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace weir {
namespace {

constexpr unsigned kSubBits = 6;
constexpr std::uint64_t kSubCount = 1U << kSubBits;
constexpr std::size_t kBucketsMax = 64 * kSubCount;

} // namespace

std::size_t histogramIndex(std::int64_t signedValue)
{
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(signedValue, 0));
    if (value < kSubCount) return value;
    const unsigned top = 63U - static_cast<unsigned>(std::countl_zero(value));
    const std::uint64_t next = (value >> (top - kSubBits)) & (kSubCount - 1);
    return (top - kSubBits + 1) * kSubCount + next;
}

std::int64_t histogramMiddle(std::size_t index)
{
    if (index < kSubCount) return static_cast<std::int64_t>(index);
    const std::uint64_t shift = index / kSubCount - 1;
    const std::uint64_t low = (kSubCount + index % kSubCount) << shift;
    return static_cast<std::int64_t>(low + ((1ULL << shift) >> 1U));
}

void Histogram::add(std::int64_t value, std::uint64_t count)
{
    const std::size_t index = histogramIndex(value);
    if (index >= m_buckets.size()) m_buckets.resize(index + 1);
    m_buckets[index] += count;
    m_count += count;
}

void Histogram::merge(const Histogram& other)
{
    if (other.m_buckets.size() > m_buckets.size()) m_buckets.resize(other.m_buckets.size());
    for (std::size_t i = 0; i < other.m_buckets.size(); ++i)
        m_buckets[i] += other.m_buckets[i];
    m_count += other.m_count;
}

std::optional<std::int64_t> Histogram::quantile(double q) const
{
    if (m_count == 0) return std::nullopt;
    const double exact = std::ceil(q * static_cast<double>(m_count));
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(exact, 1.0)), 1, m_count);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        seen += m_buckets[i];
        if (seen >= wanted) return histogramMiddle(i);
    }
    return histogramMiddle(m_buckets.size() - 1);
}

std::uint64_t Histogram::countAbove(std::int64_t value) const
{
    std::uint64_t above = 0;
    for (std::size_t i = m_buckets.size(); i > 0 && histogramMiddle(i - 1) > value; --i)
        above += m_buckets[i - 1];
    return above;
}

std::string Histogram::encode() const
{
    std::string text;
    for (std::size_t i = 0; i < m_buckets.size(); ++i) {
        if (m_buckets[i] == 0) continue;
        if (!text.empty()) text += ',';
        text += std::to_string(i) + ':' + std::to_string(m_buckets[i]);
    }
    return text;
}

std::optional<Histogram> Histogram::decode(std::string_view text)
{
    Histogram result;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at != end) {
        std::size_t index = 0;
        std::uint64_t count = 0;
        const auto first = std::from_chars(at, end, index);
        if (first.ec != std::errc{} || first.ptr == end || *first.ptr != ':' ||
            index >= kBucketsMax) {
            return std::nullopt;
        }
        const auto second = std::from_chars(first.ptr + 1, end, count);
        if (second.ec != std::errc{}) return std::nullopt;
        at = second.ptr;
        if (at != end && (*at++ != ',' || at == end)) return std::nullopt;
        if (index >= result.m_buckets.size()) result.m_buckets.resize(index + 1);
        result.m_buckets[index] += count;
        result.m_count += count;
    }
    return result;
}

} // namespace weir
