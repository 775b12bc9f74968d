// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Bucket of a value: position of the top bit * 64 + the next six bits; negatives count as 0.
[[nodiscard]] std::size_t histogramIndex(std::int64_t value);
/// The middle of a bucket: at most 0.8 % off every value in it.
[[nodiscard]] std::int64_t histogramMiddle(std::size_t index);

/// A mergeable integer histogram of microseconds (or any non-negative integer) with at most 1.6 %
/// error a bucket: index = position of the top bit * 64 + the next six bits (routing.md section 0).
/// Counts merge by addition, so the order of merging never shows. Empty buckets at the end cost
/// nothing.
class Histogram final
{
public:
    /// Counts `value`; negatives count as 0.
    void add(std::int64_t value, std::uint64_t count = 1);
    void merge(const Histogram& other);

    [[nodiscard]] std::uint64_t count() const { return m_count; }

    /// The middle of the bucket that holds the q-quantile (`q` in 0 to 1); nothing where empty.
    [[nodiscard]] std::optional<std::int64_t> quantile(double q) const;

    /// How many lie above `value`, by the middles of their buckets.
    [[nodiscard]] std::uint64_t countAbove(std::int64_t value) const;

    /// "index:count,…" in rising order: the form in the database, readable and mergeable by hand.
    [[nodiscard]] std::string encode() const;
    /// Junk decodes to nothing.
    [[nodiscard]] static std::optional<Histogram> decode(std::string_view text);

    bool operator==(const Histogram&) const = default;

private:
    std::vector<std::uint64_t> m_buckets;
    std::uint64_t m_count = 0;
};

} // namespace weir
