// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/metrics_writer.h"

#include <array>
#include <charconv>

namespace weir::admin {
namespace {

void appendLabelValue(std::string& text, std::string_view value)
{
    for (const char c : value) {
        if (c == '\n') {
            text += "\\n";
            continue;
        }
        if (c == '\\' || c == '"') text += '\\';
        text += c;
    }
}

std::string number(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string divided(std::int64_t value, std::int64_t divisor)
{
    if (value % divisor == 0) return std::to_string(value / divisor);
    return number(static_cast<double>(value) / static_cast<double>(divisor));
}

} // namespace

void MetricsWriter::family(std::string_view name, std::string_view type, std::string_view help)
{
    m_name = name;
    m_text.append("# HELP ").append(name).append(" ").append(help).append("\n");
    m_text.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void MetricsWriter::sample(std::span<const Label> labels, std::int64_t value)
{
    line("", labels, std::to_string(value));
}

void MetricsWriter::sample(std::span<const Label> labels, double value)
{
    line("", labels, number(value));
}

void MetricsWriter::sampleMicro(std::span<const Label> labels, std::int64_t value)
{
    line("", labels, divided(value, 1'000'000));
}

void MetricsWriter::histogram(
    std::span<const Label> labels,
    std::span<const std::int64_t> bounds,
    std::span<const std::uint64_t> counts,
    std::int64_t sum,
    std::int64_t divisor)
{
    std::vector<Label> withBound(labels.begin(), labels.end());
    withBound.emplace_back("le", "");
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        total += counts[i];
        const std::string bound = i < bounds.size() ? divided(bounds[i], divisor) : "+Inf";
        withBound.back().second = bound;
        line("_bucket", withBound, std::to_string(total));
    }
    line("_sum", labels, divided(sum, divisor));
    line("_count", labels, std::to_string(total));
}

void MetricsWriter::line(
    std::string_view suffix, std::span<const Label> labels, std::string_view value)
{
    m_text.append(m_name).append(suffix);
    char before = '{';
    for (const auto& [name, text] : labels) {
        m_text += before;
        m_text.append(name).append("=\"");
        appendLabelValue(m_text, text);
        m_text += '"';
        before = ',';
    }
    if (!labels.empty()) m_text += '}';
    m_text.append(" ").append(value).append("\n");
}

} // namespace weir::admin
