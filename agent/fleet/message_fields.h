// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/route_gate.h"

/// The fields of what agents and gates say to each other; visitors as in gate_fields.h.
namespace weir::fleet {

/// Without its cohorts.
template <class Visitor, class Report>
void reportFields(Visitor& to, Report& report)
{
    to.number(report.agent);
    to.number(report.sequence);
    for (auto& want : report.wantMilliRps)
        to.number(want);
    to.number(report.groupMilliRps);
    to.number(report.sent);
    to.number(report.tokens);
    to.number(report.probesOk);
    to.number(report.probesFailed);
    to.number(report.probesInFlight);
    to.number(report.retryAfterMs);
    to.number(report.answers);
    to.number(report.ttftCount);
    to.number(report.ttftSumMs);
    to.number(report.knownMilliRps);
    to.number(report.knownVersion);
}

/// Without its events: they are told where they were seen.
template <class Visitor, class Reply>
void replyFields(Visitor& to, Reply& reply)
{
    for (auto& ppm : reply.admitPpm)
        to.bounded(ppm, 0, 1'000'000);
    to.number(reply.permittedMilliRps);
    to.number(reply.capMilliRps);
    to.number(reply.demandMilliRps);
    to.number(reply.guardMilliRps);
    to.number(reply.quotaMilliRps);
    to.bounded(reply.quotaPpm, 0, 1'000'000);
    to.flag(reply.quotaBinds);
    to.bounded(reply.sharePpm, 0, 1'000'000);
    to.bounded(reply.validMs, 0, 60'000);
    to.word(reply.breaker, BreakerState::HalfOpen);
    to.bounded(reply.probes, 0, routing::BreakerMemory::kProbeSlots);
    to.word(reply.hold, HoldKind::Misconfigured);
    to.number(reply.recoversInMs);
    to.flag(reply.aboveFloor);
    to.number(reply.version);
    to.number(reply.sequence);
}

} // namespace weir::fleet
