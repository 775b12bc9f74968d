// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_lanes.h"

#include "app/model/audit_words.h"
#include "app/model/format.h"
#include "app/model/incident_words.h"

#include <QStringList>

#include <algorithm>
#include <set>
#include <string>

namespace weir::model {
namespace {

LaneSpan spanOf(Span span, const Look& look, const QString& key = {})
{
    return {span, look.glyph, look.tone, look.word, key};
}

Lane modeLane(const LaneFacts& facts)
{
    Lane lane;
    lane.name = QStringLiteral("Mode");
    std::vector<const AuditEntry*> turns;
    for (const AuditEntry& entry : facts.audit) {
        if (modeAfter(entry)) turns.push_back(&entry);
    }
    std::ranges::sort(turns, {}, [](const AuditEntry* entry) { return entry->at; });
    std::optional<Mode> mode;
    Ms since = facts.range.from;
    if (!turns.empty()) {
        mode = modeBefore(*turns.front());
    } else if (facts.routingSwitch) {
        mode = facts.routingSwitch->mode;
        since = std::max(since, epochMs(facts.routingSwitch->updatedAt));
    }
    const auto until = [&](Ms time) {
        if (mode && time > since) lane.spans.push_back(spanOf({since, time}, lookOf(*mode)));
        since = std::max(since, time);
    };
    for (const AuditEntry* turn : turns) {
        until(epochMs(turn->at));
        mode = modeAfter(*turn);
        const Look look = lookOf(*turn);
        lane.marks.push_back(
            {epochMs(turn->at),
             look.glyph,
             look.tone,
             auditText(*turn) + QStringLiteral(", ") + plain(turn->who) + QStringLiteral(": ") +
                 plain(turn->reason)});
    }
    until(facts.range.to);
    return lane;
}

/// Where the provider had traffic, and what the store knows of no traffic.
void addTraffic(Lane& lane, const LaneFacts& facts, const std::string& provider)
{
    if (facts.past == nullptr || facts.past->slices.empty()) return;
    const Look healthy{Glyph::Disc, Tone::Ok, QStringLiteral("serving")};
    for (const RouteSlice& slice : facts.past->slices) {
        if (slice.provider != provider || slice.attempts == 0) continue;
        const Ms from = epochMs(slice.start);
        const Ms to = std::min(from + facts.past->step, facts.range.to);
        if (!lane.spans.empty() && lane.spans.back().span.to >= from) {
            lane.spans.back().span.to = to;
        } else {
            lane.spans.push_back(spanOf({from, to}, healthy));
        }
    }
}

/// Short and grave ones on top.
void addIncidents(Lane& lane, const LaneFacts& facts, const std::string& provider)
{
    std::vector<const Incident*> found;
    for (const Incident& incident : facts.incidents) {
        if (incident.provider == provider) found.push_back(&incident);
    }
    std::ranges::stable_sort(found, {}, [](const Incident* incident) {
        return lookOf(incident->kind).tone == Tone::Critical;
    });
    for (const Incident* incident : found) {
        const Span span{incident->onsetMs, incident->endMs.value_or(facts.range.to)};
        Look look = lookOf(incident->kind);
        look.word += QStringLiteral(", ") + spanText(span.length());
        lane.spans.push_back(spanOf(span, look, QString::fromStdString(incident->id)));
    }
}

Lane levelLane(const LaneFacts& facts)
{
    constexpr Ms kMinute = 60'000;
    Lane lane;
    lane.name = QStringLiteral("Level");
    for (const auto& [start, level] : facts.levels) {
        const Tone worse = level >= 3 ? Tone::Critical : Tone::Warning;
        const Look look{
            level == 0 ? Glyph::Disc : Glyph::TriangleDown,
            level == 0 ? Tone::Ok : worse,
            QStringLiteral("L%1").arg(level)};
        const bool isLonger = !lane.spans.empty() && lane.spans.back().text == look.word &&
                              lane.spans.back().span.to >= start;
        if (isLonger)
            lane.spans.back().span.to = start + kMinute;
        else
            lane.spans.push_back(spanOf({start, start + kMinute}, look));
    }
    return lane;
}

Lane changesLane(const LaneFacts& facts)
{
    Lane lane;
    lane.name = QStringLiteral("Changes");
    for (const AuditEntry& entry : facts.audit) {
        if (modeAfter(entry) || entry.table == "incident_note") continue;
        const Look look = lookOf(entry);
        lane.marks.push_back(
            {epochMs(entry.at),
             look.glyph,
             look.tone,
             auditText(entry) + QStringLiteral(", ") + plain(entry.who)});
    }
    std::ranges::sort(lane.marks, {}, &LaneMark::time);
    return lane;
}

} // namespace

std::vector<Lane> incidentLanes(const LaneFacts& facts)
{
    std::set<std::string> providers;
    bool isOfFleet = false;
    for (const Incident& incident : facts.incidents) {
        if (incident.provider.empty())
            isOfFleet = true;
        else
            providers.insert(incident.provider);
    }
    if (facts.past != nullptr) {
        for (const RouteSlice& slice : facts.past->slices)
            providers.insert(slice.provider);
    }
    std::vector<Lane> lanes{modeLane(facts)};
    if (!facts.levels.empty()) lanes.push_back(levelLane(facts));
    int colour = 0;
    for (const std::string& provider : providers) {
        Lane lane;
        lane.name = plain(provider);
        lane.colour = colour++;
        addTraffic(lane, facts, provider);
        addIncidents(lane, facts, provider);
        lanes.push_back(std::move(lane));
    }
    if (isOfFleet) {
        Lane lane;
        lane.name = QStringLiteral("Fleet");
        addIncidents(lane, facts, {});
        lanes.push_back(std::move(lane));
    }
    lanes.push_back(changesLane(facts));
    return lanes;
}

QString laneText(const Lane& lane)
{
    QStringList parts;
    for (const LaneSpan& span : lane.spans)
        parts << stampText(span.span.from) + QChar(' ') + span.text;
    for (const LaneMark& mark : lane.marks)
        parts << stampText(mark.time) + QChar(' ') + mark.text;
    const QString words =
        parts.isEmpty() ? QStringLiteral("nothing") : parts.join(QStringLiteral("; "));
    return lane.name + QStringLiteral(": ") + words;
}

} // namespace weir::model
