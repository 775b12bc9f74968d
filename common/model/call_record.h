// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/config.h"
#include "common/model/outcome.h"
#include "common/model/price.h"
#include "common/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// Why this route (contract section 2, `X-Weir-Reason`).
enum class Reason : std::uint8_t {
    Leader,
    Pinned,
    Explore,
    Spill,
    Failover,
    Override,
    SingleShot,
    LastResort,
    Fixed,
};

/// "leader", "single-shot", …
[[nodiscard]] std::string_view toWord(Reason reason);
[[nodiscard]] std::optional<Reason> reasonFromWord(std::string_view word);

/// Bits of `CallRecord::flags`; the columns of the ledger have the same names in lower case.
enum class CallFlag : std::uint16_t {
    Explored = 1U << 0U,
    Pinned = 1U << 1U,
    Spilled = 1U << 2U,
    Hedged = 1U << 3U,
    SingleShot = 1U << 4U,
    ShadowChoice = 1U << 5U,
    /// A copy for comparison: nobody sees its answer.
    Mirror = 1U << 6U,
    /// Asked by an eval run.
    Eval = 1U << 7U,
    /// A drill had a hand in it.
    Drill = 1U << 8U,
};

/// Why a request ended without any attempt.
enum class Unserved : std::uint8_t { None, Shed, NoRoute };

/// "none", "shed", "no_route".
[[nodiscard]] std::string_view toWord(Unserved why);
[[nodiscard]] std::optional<Unserved> unservedFromWord(std::string_view word);

/// One upstream attempt, as it stands in `call_ledger` (contract section 6). Written once, when the
/// attempt is over; the key is (`requestId`, `attempt`). Holds no prompt and no answer text. A
/// request that ends without an attempt has one record too, of attempt 0, in `unserved_request`.
struct CallRecord
{
    std::string requestId;
    int attempt = 1;
    std::string agentId;
    std::string service;
    std::string taskId;
    std::string taskType;
    /// A keyed hash, in hexadecimal; empty where the request has no conversation.
    std::string conversation;
    std::string model;
    std::string provider;
    std::string route;
    Protocol protocol = Protocol::OpenAi;
    bool stream = false;
    UtcTime startedAt{};
    /// To the first event with output; nothing where there was none.
    std::optional<std::int64_t> ttftMs;
    std::int64_t durationMs = 0;
    Outcome outcome = Outcome::Ok;
    /// Nothing where no status line arrived.
    std::optional<int> httpStatus;
    std::string finishReason;
    TokenUsage usage;
    std::optional<std::int64_t> costMicroUsd;
    std::uint16_t flags = 0;
    EffectiveMode mode = EffectiveMode::Fixed;
    Reason reason = Reason::Fixed;
    int level = 0;
    std::string snapshotId;
    std::int64_t settingsVersion = 0;
    std::int64_t switchVersion = 0;
    std::uint64_t seed = 0;
    /// Which of the model's routes were eligible, and which were held: bit i = i-th route
    /// configured.
    std::uint64_t eligibleMask = 0;
    std::uint64_t heldMask = 0;
    /// Attempt 1 only: inputs and choice of the decision, encoded, so that it can be recomputed.
    std::string decision;
    /// No further attempt of this request follows (column `final`).
    bool last = false;
    /// Only of attempt 0.
    Unserved unserved = Unserved::None;
    Priority priority = Priority::Interactive;
    /// Who asked, among the callers of this agent; empty = it tells no one from another.
    std::string caller;
    /// What the request demanded of a route, comma separated: any of the regions, all of the terms.
    std::string regionsAsked;
    std::string termsAsked;
    /// Tokens of the prompt by its bytes and shape alone; what a route's bound is learned against.
    std::optional<std::int64_t> promptEstimate;

    [[nodiscard]] bool has(CallFlag flag) const
    {
        return (flags & static_cast<std::uint16_t>(flag)) != 0;
    }

    bool operator==(const CallRecord&) const = default;
};

} // namespace weir
