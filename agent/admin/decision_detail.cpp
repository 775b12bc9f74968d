// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/decision_detail.h"

#include "common/model/saved_decision.h"
#include "common/routing/explain.h"
#include "common/routing/pool_view.h"

#include <nlohmann/json.hpp>

namespace weir::admin {
namespace {

using Json = nlohmann::ordered_json;

Json providerOf(const SavedDecision& saved, const std::optional<std::uint8_t>& route)
{
    if (!route || *route >= saved.providers.size()) return nullptr;
    return saved.providers[*route];
}

Json inputsJson(const SavedDecision& saved)
{
    const DecisionInput& input = saved.served.input;
    Json preferred = Json::array();
    for (const std::uint8_t route : input.preferred)
        preferred.push_back(providerOf(saved, route));
    return {
        {"mode", toWord(input.mode)},
        {"at", toIso(fromEpochMs(input.nowMs))},
        {"seed", input.seed},
        {"single_shot", input.singleShot},
        {"explorable", input.explorable},
        {"batch", input.batch},
        {"pin", providerOf(saved, input.pin)},
        {"origin", providerOf(saved, input.origin)},
        {"preferred", std::move(preferred)}};
}

Json gateJson(const GateView& gate)
{
    return {
        {"admit_ppm", gate.admitPpm},
        {"guard_open", gate.guardOpen},
        {"breaker", toWord(gate.breaker)},
        {"hold", toWord(gate.hold)},
        {"recovers_in_ms", gate.recoversInMs},
        {"permitted_mrps", gate.permittedMilliRps},
        {"cap_mrps", gate.capMilliRps},
        {"version", gate.version}};
}

Json explanationJson(const routing::Explanation& explanation)
{
    return {{"headline", explanation.headline}, {"notes", explanation.notes}};
}

void addRoute(
    Json& candidate,
    const SavedDecision& saved,
    std::size_t route,
    const routing::Explanation& explanation)
{
    const std::int64_t score = saved.served.decision.scores[route];
    candidate["score"] = score > 0 ? Json(static_cast<double>(score) / 1e9) : Json(nullptr);
    candidate["gate"] = gateJson(saved.served.input.routes[route].gate);
    for (const routing::RouteAnswer& answer : explanation.routes) {
        if (answer.provider != saved.providers[route]) continue;
        candidate["place"] = answer.place > 0 ? Json(answer.place) : Json(nullptr);
        candidate["code"] = answer.code;
        candidate["why"] = answer.sentence;
    }
}

} // namespace

void addDetail(Json& page, const CallRecord& first, const Summary* summary)
{
    const Result<SavedDecision> saved = decodeSavedDecision(first.decision);
    if (!saved) return;
    const bool same = summary != nullptr && summary->id == saved->served.snapshotId;
    const PoolSummary* const pool =
        same ? routing::findPool(*summary, first.model, first.taskType) : nullptr;
    const routing::Explanation explanation =
        routing::explain(saved->served, pool, saved->providers, first.promptEstimate);
    page["inputs"] = inputsJson(*saved);
    page["explanation"] = explanationJson(explanation);
    for (Json& candidate : page["candidates"]) {
        for (std::size_t i = 0; i < saved->providers.size(); ++i) {
            if (candidate["provider"] == saved->providers[i]) {
                addRoute(candidate, *saved, i, explanation);
            }
        }
    }
    if (!saved->shadow) return;
    page["shadow"] = explanationJson(
        routing::explain(*saved->shadow, pool, saved->providers, first.promptEstimate));
    const auto& candidates = saved->shadow->decision.candidates;
    page["shadow"]["provider"] =
        candidates.empty() ? Json(nullptr) : Json(saved->providers[candidates[0].route]);
}

} // namespace weir::admin
