// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_report.h"

#include "common/base/time.h"

#include <algorithm>
#include <vector>

namespace weir::routing {
namespace {

std::string_view whatIs(IncidentKind kind)
{
    switch (kind) {
    case IncidentKind::RateLimitBurst:
        return "The provider turned calls away with 429s.";
    case IncidentKind::Slowdown:
        return "First tokens came much later than over the 48 hours before.";
    case IncidentKind::Outage:
        return "The route's breaker stayed open, or most answers failed.";
    case IncidentKind::PartialErrors:
        return "More than a tenth of the answers failed.";
    case IncidentKind::CreditExhausted:
        return "The account ran out of credit.";
    case IncidentKind::Auth:
        return "The provider refused the key.";
    case IncidentKind::StaleSummary:
        return "No new summary was published: the fixed order served.";
    case IncidentKind::GateLocal:
        return "Agents ran their gates on their own, without the shared state.";
    case IncidentKind::RedisEmpty:
        return "The shared gates had lost their state.";
    case IncidentKind::Promotion:
        return "Another route took the lead.";
    case IncidentKind::Demotion:
        return "A failing route lost the lead.";
    case IncidentKind::Flapping:
        return "The lead changed too often.";
    case IncidentKind::PriceDrift:
        return "The provider bills other prices than the configured ones.";
    case IncidentKind::QualityFlag:
        return "The route's answers are flagged for their quality.";
    case IncidentKind::UnloadedRateLimit:
        return "429s came that load does not explain.";
    case IncidentKind::BudgetBurn:
        return "The provider's error budget burns too fast.";
    }
    return {};
}

/// To the second: minutes are as exact as it gets.
std::string timeText(std::int64_t ms)
{
    std::string text = toIso(fromEpochMs(ms));
    if (text.ends_with(".000Z")) text.replace(text.size() - 5, 5, "Z");
    return text;
}

std::string spanText(std::int64_t ms)
{
    const std::int64_t minutes = ms / 60'000;
    if (minutes < 60) return std::to_string(minutes) + " min";
    return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string moneyText(std::int64_t microUsd)
{
    const std::int64_t units = (microUsd < 0 ? -microUsd : microUsd) / 100;
    std::string fraction = std::to_string(10'000 + units % 10'000);
    fraction[0] = '.';
    return (microUsd < 0 ? "-$" : "$") + std::to_string(units / 10'000) + fraction;
}

/// What was typed elsewhere must not become markup: one line, no tables, no tags.
std::string plain(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*_[]<>|#";
    std::string out;
    for (const char c : text) {
        if (kMarkup.find(c) != std::string_view::npos) out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

std::string eventLine(const IncidentEvent& event)
{
    std::string line = "- " + timeText(event.atMs) + " " + plain(event.kind);
    if (!event.detail.empty()) line += ": " + plain(event.detail);
    return line + "\n";
}

std::string timeline(const Incident& incident)
{
    std::vector<IncidentEvent> events = incident.events;
    std::stable_sort(
        events.begin(), events.end(), [](const auto& a, const auto& b) { return a.atMs < b.atMs; });
    std::string text = "\n## Timeline (UTC)\n\n";
    for (const IncidentEvent& event : events)
        text += eventLine(event);
    return text;
}

std::string engineer(const Incident& incident)
{
    std::string text;
    for (const IncidentEvent& event : incident.events) {
        if (event.kind == "engineer") text += eventLine(event);
    }
    return "\n## What an engineer did\n\n" + (text.empty() ? "none\n" : text);
}

std::string group(const Incident& incident, std::span<const Incident> others)
{
    const std::string& head = incident.parent.empty() ? incident.id : incident.parent;
    std::string text;
    for (const Incident& other : others) {
        if (other.id == incident.id || (other.id != head && other.parent != head)) continue;
        text += "- " + plain(incidentTitle(other)) + " (" + other.id +
                (other.id == head ? ", heads the group)\n" : ")\n");
    }
    return text.empty() ? text : "\n## Of the same group\n\n" + text;
}

std::string peakText(const Incident& incident)
{
    const auto isPeak = [](const IncidentEvent& event) { return event.kind == "peak"; };
    const auto peak = std::find_if(incident.events.begin(), incident.events.end(), isPeak);
    std::string text = timeText(incident.peakMs);
    if (peak != incident.events.end()) text += ", " + plain(peak->detail);
    return text;
}

} // namespace

std::string incidentTitle(const Incident& incident)
{
    std::string title = std::string{toWord(incident.kind)} + " of " + incident.key + " since " +
                        timeText(incident.onsetMs);
    if (incident.endMs) {
        title += ", " + spanText(*incident.endMs - incident.onsetMs);
    } else {
        title += ", still open";
    }
    return title;
}

std::string incidentReport(const Incident& incident, std::span<const Incident> others)
{
    const auto row = [](std::string_view name, const std::string& value) {
        return "| " + std::string{name} + " | " + value + " |\n";
    };
    std::string text = "# " + plain(incidentTitle(incident)) + "\n\n";
    text += std::string{whatIs(incident.kind)} + "\n\n| | |\n|---|---|\n";
    text += row("Incident", plain(incident.id));
    text += row("Where", plain(incident.key));
    text += row("First bad minute", timeText(incident.onsetMs));
    text += row("Found after", spanText(incident.detectedMs - incident.onsetMs));
    text += row("Peak", peakText(incident));
    text += row("End", incident.endMs ? timeText(*incident.endMs) : "still open");
    if (incident.endMs) text += row("Lasted", spanText(*incident.endMs - incident.onsetMs));
    text += row("Times opened", std::to_string(incident.count));
    text += row("Calls diverted", std::to_string(incident.divertedCalls));
    text += row("Failures that users saw", std::to_string(incident.userFailures));
    text += row("Extra cost", moneyText(incident.extraCostMicroUsd));
    return text + group(incident, others) + timeline(incident) + engineer(incident);
}

} // namespace weir::routing
