// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/proxy/exchange.h"
#include "common/routing/drill_coin.h"

// The part of an exchange that knows of drills.

namespace weir::proxy {

/// The drill that acts on the attempt on this candidate; null where none does.
std::shared_ptr<fleet::RunningDrill> Exchange::drillFor(std::size_t index)
{
    const fleet::DrillList& drills = m_service.drills();
    if (drills.empty() || m_identity.eval) return nullptr;
    const RouteRuntime& route = m_model->routes[m_choice.decision.candidates[index].route];
    auto drill = fleet::drillOn(drills, m_model->name, route.config.provider, net::monotonicNow());
    if (!drill || drill->row().kind == DrillKind::Breaker) return nullptr;
    const Drill& row = drill->row();
    if (!routing::drillHits(row.id, m_identity.requestId, row.sharePpm)) return nullptr;
    if (!canGoElsewhere(index)) {
        drill->spared();
        return nullptr;
    }
    takeHand(drill);
    return drill;
}

/// Should the attempt on this candidate fail, there is another route for the request: what a drill
/// provokes must not be what a caller fails by.
bool Exchange::canGoElsewhere(std::size_t index)
{
    const auto& candidates = m_choice.decision.candidates;
    if (m_answer.begun() || m_identity.singleShot) return false;
    if (m_log.failovers >= routing::kFailoversMax) return false;
    // A route that is known to be broken or full is no other one.
    if (index + 1 < candidates.size()) {
        return candidates[index + 1].reason != Reason::LastResort;
    }
    return m_rung + 1 < m_ladder.size() && isServable(choiceContext(*m_ladder[m_rung + 1].model));
}

/// From here on the request is marked: in its answer, and in the rows of its attempts.
void Exchange::takeHand(const std::shared_ptr<fleet::RunningDrill>& drill)
{
    if (m_drill == drill) return;
    drill->touched();
    if (m_drill) return;
    m_drill = drill;
    m_fields.drill = m_drill->row().id;
}

/// Lets the drills of its models know how the request ended for its caller.
void Exchange::tellDrills()
{
    if (m_results.empty() || m_clientGone || m_identity.eval) return;
    const Outcome outcome = m_results.back().outcome;
    const bool failed = !isSuccess(outcome) && !isNeutral(outcome);
    const Instant now = net::monotonicNow();
    for (const auto& drill : m_service.drills()) {
        for (std::size_t rung = 0; rung <= m_rung; ++rung) {
            const bool isOurs = m_ladder[rung].model->name == drill->row().model;
            if (isOurs && drill->acts(now)) drill->requestEnded(failed);
        }
    }
}

} // namespace weir::proxy
