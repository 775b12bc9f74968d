// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/incident_samples.h"

#include "tests/app/support/store_file.h"

namespace weir::test {
namespace {

constexpr std::int64_t kSecond = 1'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;

std::int64_t ten()
{
    return epochMs(sampleTime()) - 15 * kMinute;
}

Incident incident(const std::string& id, IncidentKind kind, const std::string& provider)
{
    Incident incident;
    incident.id = id;
    incident.kind = kind;
    incident.provider = provider;
    if (!provider.empty()) incident.model = "glm-5.2";
    incident.key = provider.empty() ? "fleet" : "glm-5.2/" + provider;
    return incident;
}

void timed(Incident& incident, std::int64_t onset, std::int64_t found, std::int64_t peak)
{
    incident.onsetMs = onset;
    incident.detectedMs = found;
    incident.peakMs = peak;
}

CallRecord call(int number, std::int64_t atMs, const std::string& provider)
{
    CallRecord record;
    record.requestId = "7c02" + std::to_string(100'000 + number) + "-" + provider;
    record.agentId = "agent-1";
    record.service = "code-review";
    record.taskId = "task-" + std::to_string(number / 4);
    record.taskType = "code-review";
    record.model = "glm-5.2";
    record.provider = provider;
    record.route = provider + "/zai-org/GLM-5.2@us";
    record.startedAt = fromEpochMs(atMs);
    record.ttftMs = 4'800 + number % 7 * 90;
    record.durationMs = 9'000;
    record.httpStatus = 200;
    record.costMicroUsd = 31'200;
    record.last = true;
    record.decision = "kept";
    return record;
}

/// What the providers did in ten seconds: baseten slow from 10:02 on and left from 10:06 on,
/// fireworks with 429s from 10:07 to 10:09.
void addCalls(std::vector<CallRecord>& calls, std::int64_t atMs)
{
    const std::int64_t since = atMs - ten();
    const bool isSlow = since >= 2 * kMinute;
    const bool isLeft = since >= 6 * kMinute;
    const bool isLimited = since >= 7 * kMinute && since < 9 * kMinute;
    const auto add = [&](const std::string& provider, int count) {
        for (int i = 0; i < count; ++i) {
            const auto number = static_cast<int>(calls.size());
            calls.push_back(call(number, atMs + i * kSecond, provider));
            CallRecord& made = calls.back();
            if (provider == "baseten" && isSlow) made.ttftMs = *made.ttftMs + 9'400;
            if (provider != "fireworks" || !isLimited || i % 2 == 0) continue;
            made.outcome = Outcome::RateLimited;
            made.httpStatus = 429;
            made.ttftMs.reset();
            made.last = false;
        }
    };
    add("baseten", isLeft ? 1 : 6);
    add("fireworks", isLeft ? 5 : 1);
    add("coreweave", 1);
}

std::string iso(std::int64_t ms)
{
    return toIso(fromEpochMs(ms));
}

std::string auditRow(
    std::int64_t atMs,
    const std::string& who,
    const std::string& table,
    const std::string& before,
    const std::string& after,
    const std::string& reason)
{
    return "INSERT INTO settings_audit (at, who, host, table_name, row_key, old_value, new_value, "
           "reason, version) VALUES ('" +
           iso(atMs) + "', '" + who + "', 'devbox', '" + table + "', '1', '" + before + "', '" +
           after + "', '" + reason + "', 42);";
}

} // namespace

std::vector<Incident> sampleIncidents()
{
    const std::int64_t start = ten();
    Incident slow = incident("INC-231", IncidentKind::Slowdown, "baseten");
    slow.taskType = "code-review";
    slow.key += "/code-review";
    timed(slow, start + 131 * kSecond, start + 381 * kSecond, start + 9 * kMinute);
    slow.divertedCalls = 1'240;
    slow.extraCostMicroUsd = 3'480'000;
    slow.events = {
        {start + 131 * kSecond, "onset", "TTFT 4.9 to 14.2 s"},
        {start + 381 * kSecond, "detected", "TTFT x2.9 of its 48 h mean"},
        {start + 385 * kSecond, "leader_change", "code-review: baseten to fireworks (slow3x)"},
        {start + 430 * kSecond, "gate_cut", "fireworks 240 to 120 rps"},
        {start + 9 * kMinute, "peak", "TTFT x3.1"}};
    Incident burst = incident("INC-232", IncidentKind::RateLimitBurst, "fireworks");
    timed(burst, start + 7 * kMinute, start + 8 * kMinute, start + 8 * kMinute);
    burst.endMs = start + 9 * kMinute;
    burst.parent = "INC-231";
    burst.divertedCalls = 58;
    burst.userFailures = 2;
    burst.events = {{start + 7 * kMinute, "onset", "43.0 % limited"}};
    Incident outage = incident("INC-230", IncidentKind::Outage, "coreweave");
    const std::int64_t yesterday = start - 22 * kHour;
    timed(outage, yesterday, yesterday + 2 * kMinute, yesterday + 20 * kMinute);
    outage.endMs = yesterday + 94 * kMinute;
    outage.divertedCalls = 5'400;
    outage.extraCostMicroUsd = -1'200'000;
    Incident stale = incident("INC-229", IncidentKind::StaleSummary, {});
    const std::int64_t before = start - 74 * kHour;
    timed(stale, before, before + 16 * kMinute, before + 30 * kMinute);
    stale.endMs = before + 41 * kMinute;
    return {slow, burst, outage, stale};
}

void saveIncidents(Stage& stage, const std::vector<Incident>& incidents)
{
    auto& db = stage.archive.database();
    const auto lease = db.takeLease("summary", "agent-1", std::chrono::seconds{60});
    if (!lease || !*lease) qFatal("no lease");
    const auto saved = db.saveIncidents(incidents, **lease);
    if (!saved) qFatal("%s", saved.error().text().c_str());
}

IncidentNote
writeNote(Stage& stage, IncidentNote note, std::int64_t expectedVersion, const std::string& who)
{
    store::NoteChange change{std::move(note), expectedVersion, {}};
    change.by.who = who;
    change.by.host = "devbox";
    change.by.at = stage.clock.now();
    const auto written = stage.archive.database().writeNote(change);
    if (!written || !written->row) qFatal("the note was not written");
    return *written->row;
}

void fillIncidents(Stage& stage)
{
    saveIncidents(stage, sampleIncidents());
    std::vector<CallRecord> calls;
    const std::int64_t end = epochMs(sampleTime());
    for (std::int64_t at = end - kHour; at < end; at += 10 * kSecond)
        addCalls(calls, at);
    const auto done = stage.archive.database().ingest(calls, "agent-1", {});
    if (!done) qFatal("%s", done.error().text().c_str());
    const QString path = stage.folder.filePath(QStringLiteral("weir.db"));
    const std::int64_t start = ten();
    runSql(
        path,
        auditRow(
            start - 26 * kHour,
            "jon",
            "routing_switch",
            R"({"mode":"fixed","version":40})",
            R"({"mode":"adaptive","version":41})",
            "provider is back") +
            auditRow(
                start - 5 * kMinute,
                "eve",
                "routing_settings",
                R"({"slow_factor":3,"version":11})",
                R"({"slow_factor":2.5,"version":12})",
                "find slowdowns sooner") +
            auditRow(
                start + 10 * kMinute,
                "maria",
                "routing_switch",
                R"({"mode":"adaptive","version":41})",
                R"({"mode":"fixed","version":42})",
                "429 storm"));
    IncidentNote note;
    note.id = "note-1";
    note.incidentId = "INC-231";
    note.atMs = start + 11 * kMinute + 4 * kSecond;
    note.text = "called Baseten support, case 5512";
    writeNote(stage, note, 0, "maria");
}

} // namespace weir::test
