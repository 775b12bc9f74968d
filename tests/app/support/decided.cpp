// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/decided.h"

#include "common/model/summary_json.h"
#include "tests/app/support/samples.h"
#include "tests/routing/decision_text.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

#include <random>
#include <utility>

namespace weir::test {
namespace {

using namespace routing::test;

constexpr auto kBefore = std::chrono::minutes{5};

} // namespace

Decided::Decided()
{
    m_summary.id = "8f31c0de8f31c0de";
    m_summary.computedAtMs = epochMs(sampleTime() - kBefore);
    m_summary.settingsVersion = 7;
    PoolSummary figured = pool(
        {figures("baseten", 31'200'000, 5'200'000),
         figures("fireworks", 35'200'000, 6'000'000),
         figures("coreweave", 60'000'000, 2'000'000)},
        "baseten");
    figured.model = "glm-5.2";
    for (RouteFigures& route : figured.routes)
        route.calls48h = 400;
    m_summary.pools.push_back(std::move(figured));
}

void Decided::save(store::Database& database) const
{
    const auto lease = database.takeLease("summary", "agent-1", std::chrono::hours{1});
    if (!lease || !*lease) qFatal("no lease");
    const store::SummaryRow row{
        m_summary.id, m_summary.computedAtMs, m_summary.settingsVersion, toJson(m_summary).dump()};
    if (!database.insertSummary(row, **lease)) qFatal("the summary was not taken");
}

CallRecord Decided::record(int number, const Edit& edit) const
{
    CallRecord call;
    call.requestId = "req-" + std::to_string(number);
    call.startedAt = sampleTime() - std::chrono::seconds{number};
    call.agentId = "agent-1";
    call.service = "review";
    call.taskId = "task-" + std::to_string(number / 10);
    call.taskType = "code-review";
    call.conversation = "77c0ffee" + std::to_string(number / 10);
    call.model = "glm-5.2";
    call.ttftMs = 1200;
    call.durationMs = 5300;
    call.usage.inputUncached = 1200;
    call.usage.inputCached = 8800;
    call.usage.output = 400;
    call.costMicroUsd = 6240;
    call.settingsVersion = 7;
    call.switchVersion = 41;
    call.last = true;

    SavedDecision saved;
    saved.providers = m_providers;
    DecisionInput& input = saved.served.input;
    input = request(m_providers.size(), static_cast<std::uint64_t>(number));
    input.policy.settingsVersion = 7;
    input.nowMs = epochMs(call.startedAt);
    for (RouteOption& route : input.routes) {
        route.gate.permittedMilliRps = 120'000;
        route.gate.version = 812;
    }
    edit(input);
    saved.served.snapshotId = m_summary.id;
    saved.served.decision =
        routing::decide(routing::PoolView(m_summary.pools.front(), m_providers), input);
    call.mode = input.mode;
    call.seed = input.seed;
    call.snapshotId = m_summary.id;
    call.decision = encode(saved);
    if (!saved.served.decision.candidates.empty()) {
        const Candidate& first = saved.served.decision.candidates[0];
        call.provider = m_providers[first.route];
        call.reason = first.reason;
    }
    call.route = call.provider + "/x@us";
    return call;
}

CallRecord Decided::anyRecord(int number) const
{
    std::mt19937_64 dice(static_cast<std::uint64_t>(number));
    const auto oneIn = [&dice](std::uint64_t n) { return dice() % n == 0; };
    return record(number, [&](DecisionInput& input) {
        input.seed = dice();
        input.explorable = oneIn(2);
        input.singleShot = oneIn(10);
        input.batch = oneIn(6);
        if (oneIn(3)) input.pin = static_cast<std::uint8_t>(dice() % input.routes.size());
        if (oneIn(8)) input.mode = EffectiveMode::Fixed;
        // One route at least may serve: a request that none may serve has no attempt.
        const std::size_t sure = dice() % input.routes.size();
        for (std::size_t i = 0; i < input.routes.size(); ++i) {
            RouteOption& route = input.routes[i];
            if (i != sure && oneIn(6)) route.exclusion = Exclusion::Region;
            if (oneIn(4)) route.gate.admitPpm.fill(static_cast<std::int32_t>(dice() % 1'000'001));
            if (oneIn(8)) route.gate.breaker = static_cast<BreakerState>(dice() % 3);
            if (oneIn(8)) route.gate.hold = static_cast<HoldKind>(dice() % 5);
            route.gate.probeFree = oneIn(2);
        }
    });
}

void ingest(store::Database& database, std::vector<CallRecord> records)
{
    const auto taken = database.ingest(std::move(records), "agent-1", {});
    if (!taken || taken->refused > 0) qFatal("the ledger did not take the rows");
}

} // namespace weir::test
