// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/histogram.h"
#include "common/model/degradation_report.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::routing {

enum class RequestEnd : std::uint8_t { Served, Failed, Shed };

/// One request as its caller saw it.
struct LadderFact
{
    /// Epoch milliseconds.
    std::int64_t startedMs = 0;
    std::string_view taskType;
    bool batch = false;
    /// What is neither the route's success nor its failure (the caller's own 400, a client that
    /// left) was served too.
    RequestEnd end = RequestEnd::Served;
    /// Of the last attempt; what failed counts as L4 whatever stands here.
    int level = 0;
    /// From the start to the first output, failovers included; nothing where none came.
    std::optional<std::int64_t> ttftMs;
};

/// The requests of one minute.
struct LadderMinute
{
    /// Epoch milliseconds.
    std::int64_t startMs = 0;
    /// By task type, interactive before batch; only those that had requests.
    std::vector<LadderTask> tasks;

    [[nodiscard]] std::optional<int> mode() const;
};

/// Counts requests of [from, to) and makes the report of them. What began outside is left out.
/// Minutes are counted from `from` on.
class DegradationTally final
{
public:
    DegradationTally(std::int64_t fromMs, std::int64_t toMs);

    void count(const LadderFact& fact);

    /// An attempt on a route of a region that its request did not allow.
    void residencyViolated() { ++m_residencyViolations; }

    [[nodiscard]] DegradationReport report() const;
    /// By time; minutes without requests are left out.
    [[nodiscard]] std::vector<LadderMinute> minutes() const;

private:
    std::int64_t m_fromMs;
    std::int64_t m_toMs;
    /// By minute.
    std::map<std::int64_t, std::vector<LadderTask>> m_minutes;
    /// In microseconds, for the finer buckets.
    std::array<Histogram, kLevelCount> m_firstOutput;
    std::uint64_t m_residencyViolations = 0;
};

} // namespace weir::routing
