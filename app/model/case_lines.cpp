// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/case_lines.h"

#include "app/model/audit_words.h"
#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr qsizetype kIdShown = 8;

Place placeAt(Place::Page page, const std::string& key)
{
    return {page, QString::fromStdString(key), std::nullopt};
}

/// What was measured in the minute of an event.
QString windowText(const IncidentCase& known, Ms at)
{
    const Incident& incident = known.incident;
    if (incident.provider.empty()) return {};
    const Ms width = std::max<Ms>(60'000, known.past.step);
    const Ms from = at / width * width;
    const Measured minute = measuredIn(known.past, incident.provider, {from, from + width});
    if (minute.attempts == 0) return {};
    QString text = QStringLiteral("n ") + countText(minute.attempts);
    if (const auto p50 = minute.ttftUs.quantile(0.5)) {
        text += QStringLiteral(", p50 ") + seconds(static_cast<double>(*p50) / 1e6);
    }
    if (minute.rateLimited > 0) text += QStringLiteral(", 429 ") + countText(minute.rateLimited);
    return text;
}

void addEvents(std::vector<CaseLine>& lines, const IncidentCase& known)
{
    std::size_t number = 0;
    for (const IncidentEvent& event : known.incident.events) {
        CaseLine line;
        line.key = QStringLiteral("event/%1").arg(number++);
        line.at = event.atMs;
        line.look = lookOfEvent(event.kind);
        line.text = plain(event.detail);
        line.isStory = event.kind != "gate_cut";
        const auto decision = known.decisions.find(event.atMs);
        if (decision != known.decisions.end()) {
            line.evidence = QStringLiteral("decision ") + plain(decision->second).left(kIdShown);
            line.place = placeAt(Place::Page::Decisions, decision->second);
        } else {
            line.evidence = windowText(known, event.atMs);
        }
        if (!line.place && !known.incident.provider.empty()) {
            line.place = placeAt(Place::Page::Providers, known.incident.provider);
        }
        lines.push_back(std::move(line));
    }
}

void addAudit(std::vector<CaseLine>& lines, const IncidentCase& known)
{
    for (const AuditEntry& entry : known.audit) {
        CaseLine line;
        line.key = QStringLiteral("audit/%1").arg(entry.id);
        line.at = epochMs(entry.at);
        line.look = lookOf(entry);
        line.text = auditText(entry) + QStringLiteral(", ") + plain(entry.who);
        const bool isNote = entry.table == "incident_note";
        if (!isNote) line.text += QStringLiteral(": ") + plain(entry.reason);
        line.evidence = QStringLiteral("audit %1").arg(entry.id);
        line.place = placeAt(Place::Page::Settings, "audit/" + std::to_string(entry.id));
        // Of a note the story has the newest words, the log every version.
        line.isStory = modeAfter(entry).has_value();
        lines.push_back(std::move(line));
    }
}

void addNotes(std::vector<CaseLine>& lines, const IncidentCase& known)
{
    for (const IncidentNote& note : known.notes) {
        CaseLine line;
        line.key = QStringLiteral("note/") + QString::fromStdString(note.id);
        line.at = note.atMs;
        line.look = {Glyph::Circle, Tone::Neutral, QStringLiteral("note")};
        const bool isTimeline = note.section == NoteSection::Timeline;
        if (!isTimeline) line.text = titleOf(note.section) + QStringLiteral(": ");
        line.text += plain(note.text, kNoteCharactersMax);
        line.evidence = plain(note.updatedBy);
        if (note.version > 1) line.evidence += QStringLiteral(" (edited)");
        line.isStory = true;
        lines.push_back(std::move(line));
    }
}

void addGroup(std::vector<CaseLine>& lines, const IncidentCase& known)
{
    const Incident& own = known.incident;
    const std::string& head = own.parent.empty() ? own.id : own.parent;
    for (const Incident& other : known.others) {
        if (other.id == own.id || (other.id != head && other.parent != head)) continue;
        CaseLine line;
        line.key = QStringLiteral("incident/") + QString::fromStdString(other.id);
        line.at = other.onsetMs;
        line.look = lookOf(other.kind);
        line.text = headline(other) + QStringLiteral(" · ") + whereText(other);
        line.evidence = plain(other.id);
        line.place = placeAt(Place::Page::Incidents, other.id);
        line.isStory = other.id == head;
        lines.push_back(std::move(line));
    }
}

void addCalls(std::vector<CaseLine>& lines, const IncidentCase& known)
{
    for (const CallRecord& call : known.calls) {
        const bool isGood = isSuccess(call.outcome);
        CaseLine line;
        line.key = QStringLiteral("call/%1/%2")
                       .arg(QString::fromStdString(call.requestId))
                       .arg(call.attempt);
        line.at = epochMs(call.startedAt);
        line.look = {
            isGood ? Glyph::Disc : Glyph::Cross,
            Tone::Neutral,
            plain(toWord(call.outcome)).replace(QChar('_'), QChar(' '))};
        line.text = plain(call.provider) + QStringLiteral(" · ") + plain(call.taskType);
        if (call.ttftMs) {
            const auto ms = static_cast<double>(*call.ttftMs);
            line.text += QStringLiteral(", first token after ") + secondsFromMs(ms);
        }
        line.evidence = QStringLiteral("request ") + plain(call.requestId).left(kIdShown);
        line.place = placeAt(Place::Page::Decisions, call.requestId);
        lines.push_back(std::move(line));
    }
}

} // namespace

std::vector<CaseLine> linesOf(const IncidentCase& known)
{
    std::vector<CaseLine> lines;
    addEvents(lines, known);
    addAudit(lines, known);
    addNotes(lines, known);
    addGroup(lines, known);
    addCalls(lines, known);
    std::ranges::stable_sort(lines, {}, &CaseLine::at);
    return lines;
}

} // namespace weir::model
