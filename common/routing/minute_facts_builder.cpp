// SPDX-License-Identifier: Apache-2.0
#include "common/routing/minute_facts_builder.h"

#include "common/routing/outcome_class.h"

#include <algorithm>
#include <cmath>

namespace weir::routing {
namespace {

/// The microseconds that a call tells about the TTFT; -1 = nothing.
std::int64_t tellingTtft(const CallFact& fact)
{
    const std::int64_t input =
        std::max<std::int64_t>(fact.inputUncached, 0) + std::max<std::int64_t>(fact.cacheWrite, 0);
    if (fact.inputCached > input) return -1;
    if (fact.ttftUs >= 0) return fact.ttftUs;
    const bool waited = fact.outcome == Outcome::TtftTimeout ||
                        fact.outcome == Outcome::IdleTimeout || fact.outcome == Outcome::Deadline;
    return waited ? fact.durationUs : -1;
}

void countTtft(RouteMinute& row, std::int64_t us)
{
    const double ln = std::log(static_cast<double>(std::max<std::int64_t>(us, 1)));
    ++row.ttftCalls;
    row.lnTtftMicro += std::llround(ln * 1e6);
    row.lnTtftSquareMicro += std::llround(ln * ln * 1e6);
}

} // namespace

void countOutcome(RouteMinute& row, Outcome outcome, std::int64_t calls)
{
    row.calls += calls;
    switch (classOf(outcome)) {
    case OutcomeClass::Ok:
        row.successes += calls;
        break;
    case OutcomeClass::Rate:
        row.rateLimited += calls;
        break;
    case OutcomeClass::Failure:
        row.failed += calls;
        break;
    case OutcomeClass::Credit:
        row.credit += calls;
        break;
    case OutcomeClass::Auth:
        row.auth += calls;
        break;
    case OutcomeClass::Misconfigured: // has a hold of its own
    case OutcomeClass::Neutral:
        row.neutral += calls;
        break;
    }
}

void countCall(RouteMinute& row, const CallFact& fact)
{
    countOutcome(row, fact.outcome, 1);
    if (const std::int64_t us = tellingTtft(fact); us >= 0) countTtft(row, us);
}

void addUp(RouteMinute& row, const RouteMinute& more)
{
    row.calls += more.calls;
    row.successes += more.successes;
    row.neutral += more.neutral;
    row.rateLimited += more.rateLimited;
    row.failed += more.failed;
    row.credit += more.credit;
    row.auth += more.auth;
    row.ttftCalls += more.ttftCalls;
    row.lnTtftMicro += more.lnTtftMicro;
    row.lnTtftSquareMicro += more.lnTtftSquareMicro;
    row.comparedCalls += more.comparedCalls;
    row.slowCalls += more.slowCalls;
    row.divertedCalls += more.divertedCalls;
    row.userFailures += more.userFailures;
    row.extraCostMicroUsd += more.extraCostMicroUsd;
}

void addUp(GateMinute& row, const GateMinute& more)
{
    row.halvingCuts += more.halvingCuts;
    row.easingCuts += more.easingCuts;
    row.breakerOpenForMs = std::max(row.breakerOpenForMs, more.breakerOpenForMs);
}

RouteMinute& MinuteFactsBuilder::route(
    const std::string& model, const std::string& taskType, const std::string& provider)
{
    RouteMinute& row = m_routes[{model, taskType, provider}];
    if (row.provider.empty()) {
        row.model = model;
        row.taskType = taskType;
        row.provider = provider;
    }
    return row;
}

GateMinute& MinuteFactsBuilder::gate(const std::string& model, const std::string& provider)
{
    GateMinute& row = m_gates[{model, provider}];
    row.model = model;
    row.provider = provider;
    return row;
}

AccountMinute& MinuteFactsBuilder::account(const std::string& provider)
{
    AccountMinute& row = m_accounts[provider];
    row.provider = provider;
    return row;
}

MinuteFacts MinuteFactsBuilder::take(std::int64_t startMs)
{
    MinuteFacts facts;
    facts.startMs = startMs;
    for (auto& [key, row] : m_routes)
        facts.routes.push_back(std::move(row));
    for (auto& [key, row] : m_gates)
        facts.gates.push_back(std::move(row));
    for (auto& [key, row] : m_accounts)
        facts.accounts.push_back(std::move(row));
    facts.leaderChanges = std::move(m_changes);
    facts.raised = std::move(m_raised);
    facts.fleet = m_fleet;
    *this = {};
    return facts;
}

} // namespace weir::routing
