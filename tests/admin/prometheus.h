// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::admin {

struct MetricSample
{
    std::string name;
    std::map<std::string, std::string> labels;
    double value = 0.0;
};

struct MetricFamily
{
    std::string type;
    std::string help;
    std::vector<MetricSample> samples;
};

/// A strict reader of Prometheus' text format 0.0.4, stricter than Prometheus itself: HELP and TYPE
/// before the samples, families in one piece, no sample twice, histograms whole and rising.
struct MetricsPage
{
    std::map<std::string, MetricFamily> families;
    /// What is wrong, with the line; empty where nothing is.
    std::string error;

    [[nodiscard]] static MetricsPage parse(std::string_view text);

    /// `labels` as "a=1,b=2", all of them, in alphabetical order.
    [[nodiscard]] std::optional<double>
    value(const std::string& name, const std::string& labels = {}) const;
};

} // namespace weir::admin
