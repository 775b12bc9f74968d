// SPDX-License-Identifier: Apache-2.0
#include "tests/admin/prometheus.h"

#include <charconv>
#include <cmath>
#include <set>

namespace weir::admin {
namespace {

bool isName(std::string_view text, bool colonAllowed)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool digit = c >= '0' && c <= '9';
        if (!letter && !(digit && i > 0) && !(colonAllowed && c == ':')) return false;
    }
    return !text.empty();
}

/// Takes `name="value",…}` off the front of `text`, after the opening brace.
bool readLabels(std::string_view& text, std::map<std::string, std::string>& labels)
{
    while (true) {
        const std::size_t equals = text.find("=\"");
        if (equals == std::string_view::npos) return false;
        const std::string name(text.substr(0, equals));
        if (!isName(name, false)) return false;
        text.remove_prefix(equals + 2);
        std::string value;
        while (!text.empty() && text.front() != '"') {
            if (text.front() == '\\') {
                if (text.size() < 2) return false;
                const char escaped = text[1];
                if (escaped != '\\' && escaped != '"' && escaped != 'n') return false;
                value += escaped == 'n' ? '\n' : escaped;
                text.remove_prefix(2);
            } else {
                value += text.front();
                text.remove_prefix(1);
            }
        }
        if (text.size() < 2 || !labels.emplace(name, value).second) return false;
        const char after = text[1];
        text.remove_prefix(2);
        if (after == '}') return true;
        if (after != ',') return false;
    }
}

bool readValue(std::string_view text, double& value)
{
    if (text == "+Inf") {
        value = HUGE_VAL;
        return true;
    }
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

bool readSample(std::string_view line, MetricSample& sample)
{
    const std::size_t end = line.find_first_of("{ ");
    if (end == std::string_view::npos || !isName(line.substr(0, end), true)) return false;
    sample.name = line.substr(0, end);
    const bool labelled = line[end] == '{';
    line.remove_prefix(end + (labelled ? 1 : 0));
    if (labelled && !readLabels(line, sample.labels)) return false;
    if (line.empty() || line.front() != ' ') return false;
    return readValue(line.substr(1), sample.value);
}

/// Bucket counts rise to the count, the last bound is +Inf.
std::string histogramError(const MetricFamily& family, const std::string& name)
{
    struct Series
    {
        double last = -1.0;
        double bound = -HUGE_VAL;
        std::optional<double> sum;
        std::optional<double> count;
    };

    std::map<std::map<std::string, std::string>, Series> series;
    for (const MetricSample& sample : family.samples) {
        auto labels = sample.labels;
        const bool bucket = sample.name == name + "_bucket";
        double bound = 0.0;
        if (bucket && (!labels.contains("le") || !readValue(labels.at("le"), bound))) {
            return "bucket without a bound";
        }
        labels.erase("le");
        Series& own = series[labels];
        if (sample.name == name + "_sum") own.sum = sample.value;
        if (sample.name == name + "_count") own.count = sample.value;
        if (!bucket) continue;
        if (sample.value < own.last || bound <= own.bound) return "buckets that do not rise";
        own.last = sample.value;
        own.bound = bound;
    }
    for (const auto& [labels, own] : series) {
        if (!own.sum || !own.count || own.bound != HUGE_VAL) return "a histogram in parts";
        if (*own.count != own.last) return "a count that is not the last bucket";
    }
    return {};
}

bool belongsTo(const std::string& sample, const std::string& family, const std::string& type)
{
    if (type != "histogram") return sample == family;
    return sample == family + "_bucket" || sample == family + "_sum" || sample == family + "_count";
}

std::string takeLine(std::string_view line, MetricsPage& page, std::string& family)
{
    const bool help = line.starts_with("# HELP ");
    if (help || line.starts_with("# TYPE ")) {
        line.remove_prefix(7);
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos) return "an empty comment";
        const std::string name(line.substr(0, space));
        const std::string rest(line.substr(space + 1));
        if (!isName(name, true)) return "a bad name";
        if (help) {
            if (!page.families.emplace(name, MetricFamily{"", rest, {}}).second)
                return "HELP twice";
            family = name;
            return {};
        }
        if (family != name || !page.families[name].type.empty()) return "TYPE without its HELP";
        if (rest != "counter" && rest != "gauge" && rest != "histogram") return "a bad type";
        page.families[name].type = rest;
        return {};
    }
    MetricSample sample;
    if (!readSample(line, sample)) return "no sample";
    if (family.empty()) return "a sample without HELP";
    MetricFamily& own = page.families[family];
    if (!belongsTo(sample.name, family, own.type)) return "a sample of another family";
    if (own.type == "counter" && (sample.value < 0 || !family.ends_with("_total"))) {
        return "a counter that is none";
    }
    own.samples.push_back(std::move(sample));
    return {};
}

} // namespace

MetricsPage MetricsPage::parse(std::string_view text)
{
    MetricsPage page;
    std::string family;
    std::set<std::pair<std::string, std::map<std::string, std::string>>> seen;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const std::string error = end == std::string_view::npos ? "no line feed at the end"
                                                                : takeLine(line, page, family);
        if (!error.empty()) {
            page.error = error + ": " + std::string(line);
            return page;
        }
        text.remove_prefix(end + 1);
    }
    for (const auto& [name, own] : page.families) {
        for (const MetricSample& sample : own.samples) {
            if (!seen.emplace(sample.name, sample.labels).second) page.error = "twice: " + name;
        }
        if (own.type.empty()) page.error = "no type: " + name;
        if (own.type != "histogram") continue;
        const std::string error = histogramError(own, name);
        if (!error.empty()) page.error = error + ": " + name;
    }
    return page;
}

std::optional<double> MetricsPage::value(const std::string& name, const std::string& labels) const
{
    for (const auto& [familyName, family] : families) {
        for (const MetricSample& sample : family.samples) {
            if (sample.name != name) continue;
            std::string own;
            for (const auto& [label, text] : sample.labels) {
                own += (own.empty() ? "" : ",") + label + "=" + text;
            }
            if (own == labels) return sample.value;
        }
    }
    return std::nullopt;
}

} // namespace weir::admin
