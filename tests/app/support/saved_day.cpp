// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/saved_day.h"

#include "common/model/saved_decision.h"
#include "common/model/summary_id.h"
#include "common/model/summary_json.h"
#include "common/routing/decide.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

namespace weir::test {
namespace {

RouteFigures figures(const char* provider, std::int64_t costNanoUsd, std::int64_t timeUs)
{
    RouteFigures route;
    route.provider = provider;
    route.costNanoUsd = costNanoUsd;
    route.timeUs = timeUs;
    route.ttftUs.value = timeUs / 2;
    route.sampleOk = true;
    route.trusted = true;
    route.explorePpm = 50'000;
    return route;
}

Summary summary(UtcTime at, std::int64_t limitMilliRps)
{
    PoolSummary pool;
    pool.model = "glm-5.2";
    pool.taskType = "default";
    pool.leader = "baseten";
    pool.demandMilliRps = 12'000;
    pool.routes = {
        figures("baseten", 20'000'000, 10'000'000),
        figures("fireworks", 30'000'000, 5'000'000),
        figures("coreweave", 60'000'000, 14'000'000)};
    pool.routes[0].shareFromPpm = pool.routes[0].shareToPpm = kPpm;
    pool.routes[0].explorePpm = 0;
    pool.routes[1].limitMilliRps = limitMilliRps;
    Summary summary;
    summary.computedAtMs = epochMs(at);
    summary.settingsVersion = 1;
    summary.pools = {pool};
    summary.id = summaryId(summary);
    return summary;
}

CallRecord record(const Summary& summary, UtcTime at, int number)
{
    SavedDecision saved;
    saved.providers = {"baseten", "fireworks", "coreweave"};
    saved.served.snapshotId = summary.id;
    DecisionInput& input = saved.served.input;
    input.mode = EffectiveMode::Adaptive;
    input.nowMs = epochMs(at);
    input.seed = 7;
    input.explorable = true;
    input.taskKey = {static_cast<std::uint64_t>(number), 7};
    input.requestKey = {static_cast<std::uint64_t>(number) ^ 0x5555U, 9};
    input.routes.resize(saved.providers.size());
    for (std::size_t i = 0; i < input.routes.size(); ++i)
        input.routes[i].fixedPosition = static_cast<std::uint16_t>(i);
    saved.served.decision =
        routing::decide(routing::PoolView(summary.pools[0], saved.providers), input);
    CallRecord call;
    call.requestId = "req-" + std::to_string(number);
    call.startedAt = at;
    call.model = "glm-5.2";
    call.taskType = "default";
    call.provider = saved.providers[saved.served.decision.candidates[0].route];
    call.route = call.provider + "/x";
    call.mode = EffectiveMode::Adaptive;
    call.decision = encode(saved);
    return call;
}

} // namespace

void saveDay(store::Database& database, UtcTime end, int decisions, std::int64_t limitMilliRps)
{
    const Summary made = summary(end - std::chrono::minutes{30}, limitMilliRps);
    const auto lease = database.takeLease("summary", "agent-1", std::chrono::hours{1});
    if (!lease || !*lease) qFatal("no lease for the summary");
    const store::SummaryRow row{
        made.id, made.computedAtMs, made.settingsVersion, toJson(made).dump()};
    if (const Status<> put = database.insertSummary(row, **lease); !put)
        qFatal("%s", put.error().text().c_str());
    std::vector<CallRecord> records;
    for (int number = 0; number < decisions; ++number)
        records.push_back(record(made, end - std::chrono::seconds{number + 1}, number));
    const auto put = database.ingest(records, "agent-1", {});
    if (!put) qFatal("%s", put.error().text().c_str());
}

} // namespace weir::test
