// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_book.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::routing {

/// Minutes of one route "m/p" of task type "t", written as they come; 2026-11-30T10:00Z is 0.
inline constexpr std::int64_t kTen = 1'796'032'800'000;

struct Feed
{
    IncidentBook book;
    std::int64_t nowMs = kTen;
    /// Everything that `advance` returned, newest last.
    std::vector<Incident> changed;

    void feed(MinuteFacts facts)
    {
        facts.startMs = nowMs;
        nowMs += kMinuteMs;
        changed = book.advance(facts);
    }

    void feed(const RouteMinute& row, const GateMinute& gate = {"m", "p", 0, 0, 0})
    {
        MinuteFacts facts;
        facts.routes.push_back(row);
        facts.gates.push_back(gate);
        feed(facts);
    }

    void repeat(int minutes, const RouteMinute& row)
    {
        for (int i = 0; i < minutes; ++i)
            feed(row);
    }

    /// "outage 3-9 slowdown 4-": kinds with onset and end in minutes since 10:00, in order of
    /// opening; "x2" where it opened twice.
    [[nodiscard]] QString told() const
    {
        QString text;
        for (const Incident& incident : book.all()) {
            if (!text.isEmpty()) text += ' ';
            text += QString::fromStdString(std::string{toWord(incident.kind)}) + ' ';
            text += QString::number((incident.onsetMs - kTen) / kMinuteMs) + '-';
            if (incident.endMs) text += QString::number((*incident.endMs - kTen) / kMinuteMs);
            if (incident.count > 1) text += " x" + QString::number(incident.count);
        }
        return text;
    }
};

/// A minute of `good` answers, `failed` ones and `limited` ones.
inline RouteMinute calls(std::int64_t good, std::int64_t failed = 0, std::int64_t limited = 0)
{
    RouteMinute row;
    row.model = "m";
    row.taskType = "t";
    row.provider = "p";
    row.calls = good + failed + limited;
    row.successes = good;
    row.failed = failed;
    row.rateLimited = limited;
    return row;
}

inline GateMinute gate(std::int64_t halving, std::int64_t breakerOpenForMs = 0)
{
    return {"m", "p", halving, 0, breakerOpenForMs};
}

/// A minute of `n` answers with a first token after `seconds`, all with the same time.
inline RouteMinute timed(std::int64_t n, double seconds)
{
    RouteMinute row = calls(n);
    const double ln = std::log(seconds * 1e6);
    row.ttftCalls = n;
    row.lnTtftMicro = std::llround(ln * 1e6) * n;
    row.lnTtftSquareMicro = std::llround(ln * ln * 1e6) * n;
    return row;
}

inline MinuteFacts minuteOf(const RouteMinute& row, const GateMinute& gates = gate(0))
{
    MinuteFacts facts;
    facts.routes.push_back(row);
    facts.gates.push_back(gates);
    return facts;
}

/// The same as `told`, with parents: "outage(head) slowdown(of outage)".
inline QString groups(const IncidentBook& book)
{
    const std::vector<Incident> all = book.all();
    QString text;
    for (const Incident& incident : all) {
        text += text.isEmpty() ? "" : " ";
        text += QString::fromStdString(std::string{toWord(incident.kind)});
        const auto isParent = [&](const Incident& i) { return i.id == incident.parent; };
        const auto parent = std::find_if(all.begin(), all.end(), isParent);
        if (parent != all.end()) {
            text += "<" + QString::fromStdString(std::string{toWord(parent->kind)});
        }
    }
    return text;
}

} // namespace weir::routing
