// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"
#include "common/model/drill_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::routing {

/// Counts the ledger's rows around a drill and makes the report of them. Rows may come in any
/// order; all attempts of a request count where it began, and only requests that asked for the
/// drilled model.
class DrillTally final
{
public:
    /// What lies behind `nowMs` has not happened yet.
    DrillTally(Drill drill, std::int64_t nowMs);

    /// Epoch milliseconds: the rows that began in [from, to) are wanted.
    [[nodiscard]] std::int64_t fromMs() const { return m_startMs - m_lengthMs; }

    [[nodiscard]] std::int64_t toMs() const { return m_toMs; }

    void add(const CallRecord& record);

    [[nodiscard]] DrillReport report(const DrillCounts& counts) const;

private:
    struct Attempt
    {
        int number = 0;
        std::string provider;
        std::int64_t startedMs = 0;
        std::optional<std::int64_t> ttftMs;
        Outcome outcome = Outcome::Ok;
        std::optional<std::int64_t> costMicroUsd;
        int level = 0;
    };

    struct Request
    {
        bool isOfModel = false;
        bool batch = false;
        std::string taskType;
        /// In the order of their numbers.
        std::vector<Attempt> attempts;
    };

    /// Where a request began, and when.
    struct Beginning
    {
        std::int64_t ms = 0;
        bool onRoute = false;
    };

    [[nodiscard]] static bool isWhole(const Request& request);
    [[nodiscard]] DrillWindow window(std::int64_t fromMs, std::int64_t toMs) const;
    [[nodiscard]] std::vector<Beginning> beginnings() const;

    Drill m_drill;
    std::int64_t m_startMs;
    std::int64_t m_endMs;
    std::int64_t m_lengthMs;
    std::int64_t m_toMs;
    std::unordered_map<std::string, Request> m_requests;
};

} // namespace weir::routing
