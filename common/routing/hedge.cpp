// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hedge.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kUsPerMs = 1000;
/// Admission of work that may be left undone, below which a route has less than a fifth to spare:
/// the rate goes to earlier classes first (section 5), so who admits all of the last class is idle.
constexpr std::int32_t kSpareAdmitPpm = 1'000'000;

bool isSound(const GateView& gate)
{
    const auto last = static_cast<std::size_t>(GateClass::Batch);
    return gate.breaker == BreakerState::Closed && gate.hold == HoldKind::None && gate.guardOpen &&
           gate.aboveFloor && gate.admitPpm[last] >= kSpareAdmitPpm;
}

} // namespace

std::optional<std::int64_t> hedgeDelayMs(
    const HedgeWish& wish,
    const PoolView& pool,
    const DecisionInput& input,
    const Decision& decision)
{
    const bool isFit = wish.isAllowed && !wish.hasTools && !input.singleShot && !input.batch &&
                       wish.maxTokens.value_or(kHedgeTokensMax + 1) <= kHedgeTokensMax;
    if (!isFit || decision.candidates.size() < 2) return std::nullopt;
    const Candidate& first = decision.candidates[0];
    const Candidate& second = decision.candidates[1];
    if (first.code == ReasonCode::Probe || second.code == ReasonCode::Probe) return std::nullopt;
    if (second.reason == Reason::LastResort) return std::nullopt;
    if (!isSound(input.routes[second.route].gate)) return std::nullopt;
    const RouteFigures* const figures = pool.figures(first.route);
    if (figures == nullptr || figures->ttftP95Us <= 0) return std::nullopt;
    if (figures->ttftUs.state == WindowState::Lowered || figures->slow) return std::nullopt;
    return std::max(kHedgeDelayMsMin, figures->ttftP95Us / kUsPerMs);
}

} // namespace weir::routing
