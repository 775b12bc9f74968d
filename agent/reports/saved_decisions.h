// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"
#include "common/model/saved_decision.h"
#include "common/model/summary.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace weir::reports {

/// Summaries by id, each read once.
class Summaries final
{
public:
    explicit Summaries(store::Database& database)
        : m_database(&database)
    {
    }

    /// From now on those that are not known yet are read here.
    void use(store::Database& database) { m_database = &database; }

    /// Null where the store has none of that id, or one that cannot be read.
    [[nodiscard]] Result<const Summary*> of(const std::string& id);

private:
    store::Database* m_database;
    std::map<std::string, std::unique_ptr<Summary>> m_known;
};

/// The pool that a decision was made from; null where it was made without one. Error code
/// "summary_missing" where its summary is gone.
[[nodiscard]] Result<const PoolSummary*>
poolOf(Summaries& summaries, const CallRecord& record, const std::string& snapshotId);

/// A page of the requests that keep their decision, the newest first.
[[nodiscard]] Result<store::LedgerPage> decidedPage(
    store::Database& database,
    std::optional<UtcTime> since,
    const std::optional<store::LedgerCursor>& after);

/// Every request that keeps its decision, the newest first.
[[nodiscard]] Status<> eachDecided(
    store::Database& database,
    std::optional<UtcTime> since,
    const std::function<Status<>(const CallRecord&)>& visit);

} // namespace weir::reports
