// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/model/decision_input.h"
#include "common/routing/pool_view.h"

#include <cstdint>
#include <optional>

namespace weir::routing {

/// Asking a second route while the first is silent: tail latency bought with work done twice
/// (routing.md section 9; Dean and Barroso, "The tail at scale", 2013). Off unless a task type asks
/// for it.

/// Longer answers cost too much to be paid for twice.
inline constexpr std::int64_t kHedgeTokensMax = 1024;
/// No earlier, however fast the route is.
inline constexpr std::int64_t kHedgeDelayMsMin = 2000;

struct HedgeWish
{
    /// The task type's setting.
    bool isAllowed = false;
    /// The model may use tools: what a tool does must not be done twice.
    bool hasTools = false;
    /// The caller's limit of the answer; nothing = none, which is too long.
    std::optional<std::int64_t> maxTokens;
};

/// How long to wait for the first candidate's first output before the second one is asked too:
/// the first one's p95, milliseconds. Nothing where there must be no hedge: single-shot, batch,
/// tools, long answers, nobody sound to ask or none with a fifth of its rate to spare, nothing
/// known of the route, or a route that is slow as a whole (then ranking is the cure).
[[nodiscard]] std::optional<std::int64_t> hedgeDelayMs(
    const HedgeWish& wish,
    const PoolView& pool,
    const DecisionInput& input,
    const Decision& decision);

/// At most one hedge in fifty requests, in a row no more than one: else a slow leader would double
/// the bill.
class HedgeBudget final
{
public:
    void onRequest() { m_ppm = m_ppm + kPerRequest < kPpm ? m_ppm + kPerRequest : kPpm; }

    [[nodiscard]] bool has() const { return m_ppm >= kPpm; }

    void take() { m_ppm -= kPpm; }

private:
    static constexpr std::int64_t kPerRequest = kPpm / 50;

    std::int64_t m_ppm = 0;
};

} // namespace weir::routing
