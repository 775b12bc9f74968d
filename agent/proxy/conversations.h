// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/hedge.h"
#include "common/routing/next_attempt.h"
#include "common/routing/pins.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::proxy {

/// What this agent remembers of conversations and tasks (routing.md sections 7 and 9): bounded, in
/// memory alone, lost with a restart at the cost of a cold cache. In a fleet, what others have
/// served is told it in batches. One for all workers; a lock is held for a look or an entry.
class Conversations final
{
public:
    struct Known
    {
        std::optional<routing::Pin> pin;
        /// Who served it last, within a day: the only one that can continue its reasoning state.
        std::optional<routing::Pin> origin;
        /// A call of this task was seen before.
        bool taskSeen = false;
    };

    Conversations();

    /// Looks both up and notes the task as seen. No task: the request is one of its own.
    [[nodiscard]] Known look(
        std::uint64_t conversation,
        std::optional<std::uint64_t> task,
        std::int64_t pinMs,
        std::int64_t nowMs);

    /// On success only.
    void served(std::uint64_t conversation, const routing::Pin& pin);

    void succeeded();

    using Served = std::vector<std::pair<std::uint64_t, routing::Pin>>;

    /// From now on keeps what was served for `takeServed`.
    void share();
    /// Of each conversation that is new, has moved, or was renewed for long: the newest since the
    /// last time; of too many, only some.
    [[nodiscard]] Served takeServed();
    /// Another agent has served it; what was served here later stands.
    void heard(std::uint64_t conversation, const routing::Pin& pin);

    /// A hedge may be started; then it is paid for.
    [[nodiscard]] bool takeHedge();

    /// What the request may still do, out of the budget that all requests of this agent share.
    [[nodiscard]] routing::NextStep nextStep(
        const routing::AttemptLog& log,
        const routing::FailedAttempt& failed,
        const routing::Outlook& outlook);

private:
    [[nodiscard]] bool isNews(std::uint64_t conversation, const routing::Pin& pin) const;

    std::mutex m_mutex;
    routing::PinTable m_pins;
    routing::PinTable m_origins;
    routing::PinTable m_tasks;
    routing::RetryBudget m_budget;
    routing::HedgeBudget m_hedges;
    bool m_shares = false;
    std::int64_t m_pinMs = 0;
    std::unordered_map<std::uint64_t, routing::Pin> m_unshared;
};

} // namespace weir::proxy
