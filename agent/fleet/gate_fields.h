// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/route_gate.h"

/// The fields of what gates remember, in one order for whoever writes or reads them. A visitor has
/// a verb for each kind: `number`, `wide` (a time, or what else may be large), `rate` (micro-rps),
/// `bounded`, `flag`, `word` (with the last of its enumeration).
namespace weir::fleet {

inline constexpr std::int64_t kCountMax = 1'000'000'000'000;

/// What lasts of a gate: what a restart must not forget. Stored texts depend on this order.
template <class Visitor, class State>
void lastingFields(Visitor& to, State& state)
{
    to.number(state.version);
    to.rate(state.rate.rateMicro);
    to.rate(state.rate.referenceMicro);
    to.wide(state.rate.lastCutMs);
    to.rate(state.rate.beforeTroubleMicro);
    to.wide(state.rate.troubleMs);
    to.flag(state.rate.slowStart);
    to.word(state.breaker.state, BreakerState::HalfOpen);
    to.bounded(state.breaker.opens, 0, 30);
    to.number(state.breaker.opensEver);
    to.wide(state.breaker.openUntilMs);
    to.wide(state.breaker.closedMs);
    to.rate(state.breaker.rateBeforeMicro);
    to.bounded(state.cap.capMicro, -1, routing::kMicroMax);
    to.rate(state.cap.kneeMicro);
    to.wide(state.cap.confirmedMs);
    to.bounded(state.cap.falls, 0, 1'000'000);
    to.wide(state.misconfiguredUntilMs);
}

template <class Visitor, class Account>
void lastingHoldFields(Visitor& to, Account& account)
{
    to.word(account.kind, HoldKind::Misconfigured);
    to.wide(account.sinceMs);
    to.wide(account.untilMs);
    to.wide(account.releasedMs);
    to.number(account.releases);
}

/// The rest of a gate, without its cohorts and wants: what those who share it must know as well.
template <class Visitor, class State>
void passingFields(Visitor& to, State& state)
{
    to.flag(state.started);
    to.flag(state.everUsed);
    to.flag(state.learning);
    to.wide(state.learningUntilMs);
    to.wide(state.startedMs);
    to.wide(state.lastMs);
    to.wide(state.tickMs);
    to.wide(state.epochMs);
    to.rate(state.rate.usedMicro);
    to.wide(state.rate.evidenceFromMs);
    to.wide(state.rate.frozenUntilMs);
    to.flag(state.rate.grownSinceCut);
    to.wide(state.rate.slowStartFromMs);
    to.wide(state.breaker.evidenceFromMs);
    to.bounded(state.breaker.probesOk, 0, 1'000'000'000);
    to.bounded(state.breaker.probesFailed, 0, 1'000'000'000);
    to.wide(state.breaker.failedFromMs);
    to.wide(state.breaker.failedToMs);
    for (auto& slot : state.breaker.probes) {
        to.number(slot.agent);
        to.wide(slot.untilMs);
    }
    to.wide(state.cap.minuteMs);
    to.bounded(state.cap.cleanRun, 0, kCountMax);
    to.flag(state.cap.cleanSeen);
    to.wide(state.cap.countedToMs);
    to.bounded(state.cap.rateLimited, -kCountMax, kCountMax);
    to.bounded(state.cap.attempts, 0, kCountMax);
    to.number(state.cap.shareBeforePpm);
    to.bounded(state.latency.answers, 0, 1'000'000'000);
    to.bounded(state.latency.ttftCount, 0, 1'000'000'000);
    to.bounded(state.latency.ttftSumMs, 0, 1'000'000'000'000'000);
    to.bounded(state.latency.baseMs, -1, kCountMax);
    to.bounded(state.latency.lastMs, -1, kCountMax);
    to.rate(state.latency.healthyMicro);
    to.bounded(state.latency.slowMinutes, 0, 1'000'000);
    to.bounded(state.latency.falls, 0, 1'000'000);
    to.number(state.quota.calls);
    to.number(state.quota.tokens);
    to.wide(state.debtNano);
    to.wide(state.retryHoldUntilMs);
    to.wide(state.retryProbeMs);
    to.number(state.releasesSeen);
}

template <class Visitor, class Account>
void passingHoldFields(Visitor& to, Account& account)
{
    to.wide(account.creditSeenMs);
    to.wide(account.nextProbeMs);
    to.number(account.probeRoute);
    to.number(account.probeAgent);
    to.wide(account.probeUntilMs);
    to.number(account.idleRoute);
    to.number(account.idleAgent);
    to.wide(account.idleUntilMs);
}

} // namespace weir::fleet
