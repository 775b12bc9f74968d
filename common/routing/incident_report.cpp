// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_report.h"

#include "common/routing/incident_text.h"

#include <algorithm>
#include <vector>

namespace weir::routing {
namespace {

std::string eventLine(const IncidentEvent& event)
{
    std::string line = "- " + momentText(event.atMs) + " " + markdownText(event.kind);
    if (!event.detail.empty()) line += ": " + markdownText(event.detail);
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
        text += "- " + markdownText(incidentTitle(other)) + " (" + other.id +
                (other.id == head ? ", heads the group)\n" : ")\n");
    }
    return text.empty() ? text : "\n## Of the same group\n\n" + text;
}

std::string peakText(const Incident& incident)
{
    const auto isPeak = [](const IncidentEvent& event) { return event.kind == "peak"; };
    const auto peak = std::find_if(incident.events.begin(), incident.events.end(), isPeak);
    std::string text = momentText(incident.peakMs);
    if (peak != incident.events.end()) text += ", " + markdownText(peak->detail);
    return text;
}

} // namespace

std::string incidentTitle(const Incident& incident)
{
    std::string title = std::string{toWord(incident.kind)} + " of " + incident.key + " since " +
                        momentText(incident.onsetMs);
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
    std::string text = "# " + markdownText(incidentTitle(incident)) + "\n\n";
    text += std::string{incidentMeaning(incident.kind)} + "\n\n| | |\n|---|---|\n";
    text += row("Incident", markdownText(incident.id));
    text += row("Where", markdownText(incident.key));
    text += row("First bad minute", momentText(incident.onsetMs));
    text += row("Found after", spanText(incident.detectedMs - incident.onsetMs));
    text += row("Peak", peakText(incident));
    text += row("End", incident.endMs ? momentText(*incident.endMs) : "still open");
    if (incident.endMs) text += row("Lasted", spanText(*incident.endMs - incident.onsetMs));
    text += row("Times opened", std::to_string(incident.count));
    text += row("Calls diverted", std::to_string(incident.divertedCalls));
    text += row("Failures that users saw", std::to_string(incident.userFailures));
    text += row("Extra cost", moneyText(incident.extraCostMicroUsd));
    return text + group(incident, others) + timeline(incident) + engineer(incident);
}

} // namespace weir::routing
