// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/database.h"
#include "app/model/history.h"
#include "common/base/histogram.h"
#include "common/model/incident.h"
#include "common/model/settings.h"
#include "common/model/summary.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::model {

/// What one provider did for a model in the last 24 hours.
struct ProviderDay
{
    store::CallSums sums;
    /// Microseconds to the first output.
    Histogram ttftUs;
    /// Thousandths of an output token per second.
    Histogram milliTps;

    [[nodiscard]] std::int64_t failures() const;
};

/// What the store knows of the routes of one model.
struct ProviderKnowledge
{
    std::string model;
    Decisions decisions;
    /// The newest; nothing where none was published yet, or it is another version's.
    std::optional<Summary> summary;
    /// Open in the last 24 hours, of all models.
    std::vector<Incident> incidents;
    /// By provider; one that is not there had no attempt.
    std::map<std::string, ProviderDay> day;
    /// Of this model, newest first.
    std::vector<store::StoredDrill> drills;

    /// The pool with the most calls behind it; null where nothing was learned of the model.
    [[nodiscard]] const PoolSummary* pool() const;
    [[nodiscard]] const RouteFigures* figures(const std::string& provider) const;
    /// Null where nobody has changed anything of the route.
    [[nodiscard]] const RouteSettings* settings(const std::string& provider) const;
};

/// Waits for the store.
[[nodiscard]] Result<ProviderKnowledge>
readKnowledge(store::Database& database, const std::string& model, UtcTime now);

/// A fall of the permitted rate, in requests a second.
struct RateCut
{
    Ms time = 0;
    double before = 0.0;
    double after = 0.0;

    bool operator==(const RateCut&) const = default;
};

/// Those that the live stream saw in `range`, oldest first. What fell while nobody looked is not
/// known.
[[nodiscard]] std::vector<RateCut>
cutsOf(const History& history, const std::string& provider, Span range);

} // namespace weir::model
