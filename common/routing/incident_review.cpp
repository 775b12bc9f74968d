// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_review.h"

#include "common/routing/incident_report.h"
#include "common/routing/incident_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace weir::routing {
namespace {

/// A part that only people can fill.
struct Part
{
    NoteSection section;
    const char* title;
    const char* ask;
};

constexpr Part kWhatHappened{
    NoteSection::WhatHappened, "What happened", "tell it in a few sentences"};
constexpr Part kFactors{
    NoteSection::Factors, "Contributing factors", "what made it possible, what made it worse"};
constexpr Part kResolution{NoteSection::Resolution, "Resolution", "what ended it, and who did it"};
constexpr Part kWentWell{NoteSection::WentWell, "What went well", "what to keep"};
constexpr Part kWentBadly{NoteSection::WentBadly, "What did not go well", "what to change"};
constexpr Part kActions{NoteSection::Action, "Action items", "each with an owner and a date"};
constexpr std::array kParts{kWhatHappened, kFactors, kResolution, kWentWell, kWentBadly, kActions};

bool isFilled(const ReviewFacts& facts, NoteSection section)
{
    return std::ranges::find(facts.notes, section, &IncidentNote::section) != facts.notes.end();
}

std::string signature(const IncidentNote& note)
{
    std::string text = " (" + markdownText(note.createdBy);
    if (note.version > 1) {
        text += note.updatedBy == note.createdBy ? ", edited"
                                                 : ", edited by " + markdownText(note.updatedBy);
    }
    return text + ")";
}

std::string notesOf(const ReviewFacts& facts, NoteSection section, const std::string& bullet)
{
    std::string text;
    for (const IncidentNote& note : facts.notes) {
        if (note.section != section) continue;
        text += bullet + markdownText(note.text) + signature(note) + "\n";
    }
    return text;
}

std::string partOf(const ReviewFacts& facts, const Part& part)
{
    const bool isList = part.section == NoteSection::Action;
    const std::string words = notesOf(facts, part.section, isList ? "- [ ] " : "- ");
    const std::string todo = std::string{kMissing} + ": " + part.ask + "\n";
    return std::string{"\n## "} + part.title + "\n\n" + (words.empty() ? todo : words);
}

std::string overview(const Incident& incident, const ReviewFacts& facts)
{
    std::string text = "\n## Overview\n\n" + std::string{incidentMeaning(incident.kind)} + "\n\n";
    text += "| Fact | Value |\n|---|---|\n";
    const auto row = [&text](const char* name, const std::string& value) {
        text += std::string{"| "} + name + " | " + value + " |\n";
    };
    row("Incident", markdownText(incident.id));
    row("Where", markdownText(incident.key));
    row("First bad minute", momentText(incident.onsetMs));
    row("Found after", spanText(incident.detectedMs - incident.onsetMs));
    row("Peak", momentText(incident.peakMs));
    row("End", incident.endMs ? momentText(*incident.endMs) : "still open");
    if (incident.endMs) row("Lasted", spanText(*incident.endMs - incident.onsetMs));
    row("Times opened", std::to_string(incident.count));
    if (!facts.link.empty()) row("Data", markdownText(facts.link));
    const std::string words = notesOf(facts, NoteSection::Overview, "- ");
    return text + (words.empty() ? "" : "\n" + words);
}

std::string impact(const Incident& incident, const ReviewFacts& facts)
{
    std::string text = "\n## Impact\n\n| Figure | Value |\n|---|---|\n";
    const auto row = [&text](const std::string& name, const std::string& value) {
        text += "| " + markdownText(name) + " | " + markdownText(value) + " |\n";
    };
    row("Calls diverted", std::to_string(incident.divertedCalls));
    row("Failures that users saw", std::to_string(incident.userFailures));
    row("Extra cost", moneyText(incident.extraCostMicroUsd));
    for (const auto& [name, value] : facts.impact)
        row(name, value);
    for (const auto& [file, caption] : facts.pictures)
        text +=
            "\n" + markdownText(caption) + "\n\n![" + markdownText(caption) + "](" + file + ")\n";
    const std::string words = notesOf(facts, NoteSection::Impact, "- ");
    return text + (words.empty() ? "" : "\n" + words);
}

std::string responders(const ReviewFacts& facts)
{
    std::set<std::string> people(facts.people.begin(), facts.people.end());
    for (const IncidentNote& note : facts.notes) {
        people.insert(note.createdBy);
        people.insert(note.updatedBy);
    }
    std::string text = "\n## Responders\n\n";
    for (const std::string& person : people)
        text += "- " + markdownText(person) + "\n";
    text += notesOf(facts, NoteSection::Responders, "- ");
    if (people.empty()) text += "Nobody changed anything or wrote a note.\n";
    return text;
}

std::string timeline(const Incident& incident, const ReviewFacts& facts)
{
    std::vector<ReviewLine> lines(facts.lines.begin(), facts.lines.end());
    for (const IncidentEvent& event : incident.events) {
        const std::string detail = event.detail.empty() ? "" : ": " + event.detail;
        lines.push_back({event.atMs, event.kind + detail, {}});
    }
    for (const IncidentNote& note : facts.notes) {
        if (note.section != NoteSection::Timeline) continue;
        lines.push_back({note.atMs, note.text + signature(note), {}});
    }
    std::ranges::stable_sort(lines, {}, &ReviewLine::atMs);
    std::string text = "\n## Timeline (UTC)\n\n";
    for (const ReviewLine& line : lines) {
        text += "- " + momentText(line.atMs) + " " + markdownText(line.text);
        if (!line.link.empty()) text += " (data: " + markdownText(line.link) + ")";
        text += "\n";
    }
    return text;
}

std::string group(const Incident& incident, const ReviewFacts& facts)
{
    const std::string& head = incident.parent.empty() ? incident.id : incident.parent;
    std::string text;
    for (const Incident& other : facts.others) {
        if (other.id == incident.id || (other.id != head && other.parent != head)) continue;
        text += "- " + markdownText(incidentTitle(other)) + " (" + markdownText(other.id) + ")\n";
    }
    return text.empty() ? text : "\n## Of the same group\n\n" + text;
}

} // namespace

std::string incidentReview(const Incident& incident, const ReviewFacts& facts)
{
    std::string text = "# " + markdownText(incident.id + ": " + incidentTitle(incident)) + "\n";
    text += overview(incident, facts);
    text += partOf(facts, kWhatHappened) + partOf(facts, kFactors) + partOf(facts, kResolution);
    text += impact(incident, facts) + responders(facts) + timeline(incident, facts);
    text += partOf(facts, kWentWell) + partOf(facts, kWentBadly) + partOf(facts, kActions);
    return text + group(incident, facts);
}

std::vector<std::string> missingParts(const ReviewFacts& facts)
{
    std::vector<std::string> missing;
    for (const Part& part : kParts) {
        if (!isFilled(facts, part.section)) missing.emplace_back(part.title);
    }
    return missing;
}

} // namespace weir::routing
