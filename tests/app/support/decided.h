// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/database.h"
#include "common/model/saved_decision.h"
#include "common/model/summary.h"

#include <functional>
#include <string>
#include <vector>

namespace weir::test {

/// A pool of three providers, its summary, and requests that were decided from it as an agent
/// decides.
class Decided final
{
public:
    /// baseten leads, fireworks is a little dearer and slower, coreweave has the dearest price and
    /// the fastest answers.
    Decided();

    [[nodiscard]] const Summary& summary() const { return m_summary; }

    /// Puts the summary where decisions find it.
    void save(store::Database& database) const;

    using Edit = std::function<void(DecisionInput& input)>;

    /// The first attempt of request "req-<number>", `number` seconds before the samples' time;
    /// served by whom the decision meant first.
    [[nodiscard]] CallRecord record(
        int number, const Edit& edit = [](DecisionInput&) {}) const;
    /// Of anything that an agent may meet: gates, breakers, holds, pins, draws.
    [[nodiscard]] CallRecord anyRecord(int number) const;

private:
    Summary m_summary;
    std::vector<std::string> m_providers{"baseten", "fireworks", "coreweave"};
};

/// As an agent's spool brings them.
void ingest(store::Database& database, std::vector<CallRecord> records);

} // namespace weir::test
