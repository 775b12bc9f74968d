// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/mirror_view.h"

#include "agent/ctl/format.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;
using quality::MirrorAdvice;
using quality::MirrorReport;
using quality::SharePair;

std::string fixed(double value, const char* pattern)
{
    std::array<char, 48> text{};
    static_cast<void>(std::snprintf(text.data(), text.size(), pattern, value));
    return text.data();
}

std::string listed(const std::set<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + cleaned(name);
    return text;
}

Line field(const char* name, std::string text)
{
    return {{name, Style::Dim}, {std::move(text)}};
}

std::string shares(const SharePair& pair)
{
    if (pair.n == 0) return std::string{kUnknown};
    return formatShare(pair.candidate) + " against " + formatShare(pair.served) + " of " +
           formatCount(pair.n);
}

std::string scores(const SharePair& pair)
{
    if (pair.n == 0) return "no pair has been graded";
    std::string text = fixed(pair.candidate, "%.3f") + " against " + fixed(pair.served, "%.3f");
    if (pair.difference) {
        text += ", " + fixed(pair.difference->mean, "%+.3f");
        text += " (95 %: " + fixed(pair.difference->low, "%+.3f");
        text += " to " + fixed(pair.difference->high, "%+.3f") + ')';
    }
    return text + ", " + formatCount(pair.n) + " graded";
}

std::string times(const std::optional<double>& ratio)
{
    return ratio ? fixed(*ratio, "%.2f") : std::string{kUnknown};
}

Line verdict(const MirrorReport& report)
{
    std::string text{toWord(report.advice)};
    if (report.needed) text += " (needs about " + formatCount(report.needed) + " more)";
    Style style = Style::Warning;
    if (report.advice == MirrorAdvice::Promote) style = Style::Good;
    if (report.advice == MirrorAdvice::LeaveOut) style = Style::Bad;
    return {{"  → ", Style::Dim}, {text, style}, {": " + report.reason}};
}

Json toJson(const SharePair& pair)
{
    Json json{{"n", pair.n}, {"served", nullptr}, {"candidate", nullptr}, {"difference", nullptr}};
    if (pair.n == 0) return json;
    json["served"] = pair.served;
    json["candidate"] = pair.candidate;
    if (pair.difference) {
        json["difference"] = {
            {"mean", pair.difference->mean},
            {"low", pair.difference->low},
            {"high", pair.difference->high}};
    }
    return json;
}

Json orNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json toJson(const MirrorReport& report)
{
    constexpr std::array<const char*, 3> kWords{"promote", "keep_comparing", "leave_out"};
    return {
        {"task_type", report.taskType},
        {"candidate", report.candidate},
        {"served", report.served},
        {"copies", report.copies},
        {"failures", report.failures},
        {"score", toJson(report.score)},
        {"schema_valid", toJson(report.schemaValid)},
        {"refused", toJson(report.refused)},
        {"cost_ratio", orNull(report.costRatio)},
        {"ttft_ratio", orNull(report.ttftRatio)},
        {"speed_ratio", orNull(report.speedRatio)},
        {"suggestion", kWords.at(static_cast<std::size_t>(report.advice))},
        {"reason", report.reason},
        {"needed", report.needed ? Json(*report.needed) : Json(nullptr)}};
}

} // namespace

std::vector<Line> mirrorLines(std::span<const MirrorReport> reports)
{
    std::vector<Line> lines;
    for (const MirrorReport& report : reports) {
        if (!lines.empty()) lines.emplace_back();
        lines.push_back(
            {{cleaned(report.taskType) + ": "},
             {cleaned(report.candidate), Style::Bold},
             {" beside " + listed(report.served)}});
        lines.push_back(field(
            "  copies   ",
            formatCount(report.copies) + ", " + formatCount(report.failures) + " failed"));
        lines.push_back(field("  score    ", scores(report.score)));
        lines.push_back(field("  schema   ", shares(report.schemaValid)));
        lines.push_back(field("  refused  ", shares(report.refused)));
        lines.push_back(field(
            "  times    ",
            "cost " + times(report.costRatio) + ", first output " + times(report.ttftRatio) +
                ", tokens a second " + times(report.speedRatio)));
        lines.push_back(verdict(report));
    }
    return lines;
}

Json mirrorJson(std::span<const MirrorReport> reports)
{
    Json json{{"reports", Json::array()}};
    for (const MirrorReport& report : reports)
        json["reports"].push_back(toJson(report));
    return json;
}

} // namespace weir::ctl
