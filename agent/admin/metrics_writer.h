// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::admin {

using Label = std::pair<std::string_view, std::string_view>;

/// Writes Prometheus' text format 0.0.4, family by family: HELP and TYPE, then the samples.
class MetricsWriter final
{
public:
    /// Starts a family. `type` is "counter", "gauge" or "histogram".
    void family(std::string_view name, std::string_view type, std::string_view help);

    /// A sample of the family last started.
    void sample(std::span<const Label> labels, std::int64_t value);
    void sample(std::span<const Label> labels, double value);
    /// `value` is millionths.
    void sampleMicro(std::span<const Label> labels, std::int64_t value);

    /// The samples of one histogram: `counts` has one entry more than `bounds`; bounds and sum are
    /// divided by `divisor`.
    void histogram(
        std::span<const Label> labels,
        std::span<const std::int64_t> bounds,
        std::span<const std::uint64_t> counts,
        std::int64_t sum,
        std::int64_t divisor);

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void line(std::string_view suffix, std::span<const Label> labels, std::string_view value);

    std::string m_text;
    std::string m_name;
};

} // namespace weir::admin
