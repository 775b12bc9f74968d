// SPDX-License-Identifier: Apache-2.0
#include "common/routing/outcome_class.h"

#include "common/routing/cohort_ring.h"

namespace weir::routing {
namespace {

void markSecond(Cohort& cohort, std::int64_t dispatchMs)
{
    const std::int64_t second = (dispatchMs - bucketOf(dispatchMs)) / 1000;
    cohort.failedSeconds = static_cast<std::uint8_t>(cohort.failedSeconds | (1U << second));
}

} // namespace

OutcomeClass classOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok:
    case Outcome::Length:
        return OutcomeClass::Ok;
    case Outcome::RateLimited:
        return OutcomeClass::Rate;
    case Outcome::NoCredit:
        return OutcomeClass::Credit;
    case Outcome::Auth:
        return OutcomeClass::Auth;
    case Outcome::ModelUnavailable:
        return OutcomeClass::Misconfigured;
    case Outcome::Refused:
    case Outcome::ClientCancelled:
    case Outcome::BadRequest:
    case Outcome::ContextOverflow:
        return OutcomeClass::Neutral;
    case Outcome::Overloaded:
    case Outcome::ServerError:
    case Outcome::ConnectFailed:
    case Outcome::Reset:
    case Outcome::TtftTimeout:
    case Outcome::IdleTimeout:
    case Outcome::Deadline:
    case Outcome::StreamBroken:
    case Outcome::Malformed:
        return OutcomeClass::Failure;
    }
    return OutcomeClass::Neutral;
}

bool tripsBreaker(Outcome outcome)
{
    return classOf(outcome) == OutcomeClass::Failure;
}

void countEnded(Cohort& cohort, Outcome outcome, std::int64_t dispatchMs)
{
    switch (classOf(outcome)) {
    case OutcomeClass::Ok:
        ++cohort.ok;
        break;
    case OutcomeClass::Rate:
        ++cohort.rateLimited;
        markSecond(cohort, dispatchMs);
        break;
    case OutcomeClass::Failure:
        ++cohort.failed;
        cohort.breakerHalves += 2;
        markSecond(cohort, dispatchMs);
        break;
    case OutcomeClass::Credit:
        ++cohort.creditRefused;
        break;
    case OutcomeClass::Auth:
        ++cohort.authRefused;
        break;
    case OutcomeClass::Misconfigured:
        ++cohort.misconfigured;
        break;
    case OutcomeClass::Neutral:
        ++cohort.neutral;
        break;
    }
}

void countBroken(Cohort& cohort, std::int64_t dispatchMs)
{
    --cohort.ok;
    countEnded(cohort, Outcome::StreamBroken, dispatchMs);
}

} // namespace weir::routing
