// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Kinds of routing.md section 11.
enum class IncidentKind : std::uint8_t {
    RateLimitBurst,
    Slowdown,
    Outage,
    PartialErrors,
    CreditExhausted,
    Auth,
    StaleSummary,
    GateLocal,
    RedisEmpty,
    Promotion,
    Demotion,
    Flapping,
    PriceDrift,
    QualityFlag,
    UnloadedRateLimit,
    BudgetBurn,
};
/// "rate_limit_burst", "slowdown", …
[[nodiscard]] std::string_view toWord(IncidentKind kind);
[[nodiscard]] std::optional<IncidentKind> incidentKindFromWord(std::string_view word);

struct IncidentEvent
{
    std::int64_t atMs = 0;
    /// "onset", "detected", "peak", "closed", "reopened", "leader_change", "leader_return",
    /// "gate_cut", "breaker_open"; "engineer" for what a person did.
    std::string kind;
    std::string detail;

    bool operator==(const IncidentEvent&) const = default;
};

/// One trouble of one thing (`kind`, `key`). At most one of a key is open.
struct Incident
{
    /// Made of kind, key and onset: running again over the same facts gives the same id.
    std::string id;
    IncidentKind kind = IncidentKind::Outage;
    /// "model/provider", "model/provider/task_type" (slowdown), "provider" (an account),
    /// "model/task_type" (its lead) or "fleet".
    std::string key;
    std::string model;
    std::string provider;
    std::string taskType;
    /// The first bad minute, not the detection, which comes at the end of a later one.
    std::int64_t onsetMs = 0;
    std::int64_t detectedMs = 0;
    std::int64_t peakMs = 0;
    /// End of the last bad minute, known only when it has been calm for long enough.
    std::optional<std::int64_t> endMs;
    /// Times opened (again within 30 minutes counts one more).
    int count = 1;
    /// The incident that this one belongs to; empty = it heads its group.
    std::string parent;
    std::int64_t divertedCalls = 0;
    std::int64_t userFailures = 0;
    std::int64_t extraCostMicroUsd = 0;
    std::vector<IncidentEvent> events;

    bool operator==(const Incident&) const = default;
};

} // namespace weir
