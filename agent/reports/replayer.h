// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/reports/replayed.h"
#include "agent/reports/saved_decisions.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace weir::reports {

/// The provider that is tried first, "none" where there was none.
[[nodiscard]] std::string firstChoice(const SavedDecision& saved, const Decision& decision);

/// Decides saved decisions again: whether they come out the same, and what other settings would
/// have made of them in adaptive mode.
class Replayer final
{
public:
    /// Without `other` nothing but the same is asked. `base` is what `other` is compared with;
    /// without it, with what was served.
    Replayer(
        store::Database& database,
        const std::optional<Terms>& other,
        const std::optional<Terms>& base = std::nullopt);
    ~Replayer();

    /// From now on summaries are read here.
    void use(store::Database& database) { m_summaries.use(database); }

    [[nodiscard]] Status<> visit(const CallRecord& record);

    [[nodiscard]] const Replayed& result() const { return m_result; }

    /// Of the routes that a limit is known of.
    [[nodiscard]] std::vector<RouteLoad> loads() const;

private:
    class Plans;

    /// What one model's requests came to in one summary's time.
    struct Stretch
    {
        std::int64_t decisions = 0;
        std::int64_t demandMilliRps = 0;
        std::map<std::string, Pair> first;
        std::map<std::string, std::int64_t> limitMilliRps;
    };

    void name(const CallRecord& record);
    void compare(const CallRecord& record, const SavedDecision& saved, const PoolSummary* pool);
    void estimate(const PoolSummary& pool, const std::string& was, const std::string& wouldBe);
    void measure(
        const CallRecord& record,
        const SavedDecision& saved,
        const PoolSummary& pool,
        const std::pair<std::string, std::string>& choices);

    Summaries m_summaries;
    std::unique_ptr<Plans> m_other;
    std::unique_ptr<Plans> m_base;
    std::set<const PoolSummary*> m_planned;
    std::map<std::pair<std::string, std::string>, Stretch> m_stretches;
    Replayed m_result;
};

} // namespace weir::reports
