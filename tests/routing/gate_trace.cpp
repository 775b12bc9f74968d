// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_trace.h"

namespace weir::routing::test {

GateReport reportOf(const Second& second, std::int64_t nowMs, std::int64_t wantMilliRps)
{
    GateReport report{
        .agent = second.agent, .groupMilliRps = wantMilliRps, .sent = second.dispatched};
    report.wantMilliRps[1] = wantMilliRps;
    const std::int64_t at = nowMs - 1000 - second.lateMs;
    Cohort cohort{.startMs = bucketOf(at)};
    cohort.dispatched = second.dispatched + second.neutral;
    for (int i = 0; i < second.rateLimited; ++i)
        countEnded(cohort, Outcome::RateLimited, at);
    for (int i = 0; i < second.failed; ++i)
        countEnded(cohort, Outcome::ServerError, at);
    for (int i = 0; i < second.neutral; ++i)
        countEnded(cohort, Outcome::BadRequest, at);
    cohort.ok = second.dispatched - second.rateLimited - second.failed;
    report.cohorts.push_back(cohort);
    return report;
}

std::vector<Second> secondOf(Chance& chance, int second, int agents)
{
    const bool storm = second / 20 % 5 == 3;
    const bool outage = second / 30 % 7 == 5;
    std::vector<Second> all;
    for (int i = 0; i < agents; ++i) {
        Second one{.agent = static_cast<std::uint32_t>(i + 1), .lateMs = chance.below(3000)};
        one.dispatched = static_cast<int>(chance.below(4));
        for (int k = 0; k < one.dispatched; ++k) {
            if (storm && chance.happens(700'000)) {
                ++one.rateLimited;
            } else if (chance.happens(outage ? 900'000 : 30'000)) {
                ++one.failed;
            }
        }
        all.push_back(one);
    }
    return all;
}

GateState warm(std::int64_t nowMs, std::int64_t milliRps, const GateParams& params)
{
    GateState state = newGate(true);
    GateReport report{.agent = 1, .groupMilliRps = milliRps};
    report.wantMilliRps[1] = milliRps;
    report.knownMilliRps = milliRps;
    report.knownVersion = 7;
    for (int i = 0; i <= 12; ++i)
        (void)step(state, report, nowMs - 12'000 + i * 1000, params);
    return state;
}

} // namespace weir::routing::test
