// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/ledger_report.h"

#include "common/base/text.h"

#include <algorithm>

namespace weir::reports {
namespace {

routing::LadderFact factOf(const store::AttemptRow& last)
{
    routing::LadderFact fact;
    fact.startedMs = last.requestStartedMs;
    fact.taskType = last.taskType;
    fact.batch = last.priority == Priority::Batch;
    const bool isServed = isSuccess(last.outcome) || isNeutral(last.outcome);
    fact.end = isServed ? routing::RequestEnd::Served : routing::RequestEnd::Failed;
    fact.level = last.level;
    if (last.ttftMs) fact.ttftMs = last.startedMs + *last.ttftMs - last.requestStartedMs;
    return fact;
}

routing::LadderFact factOf(const store::UnservedRow& unserved)
{
    routing::LadderFact fact;
    fact.startedMs = unserved.startedMs;
    fact.taskType = unserved.taskType;
    fact.batch = unserved.priority == Priority::Batch;
    const bool isShed = unserved.why == Unserved::Shed;
    fact.end = isShed ? routing::RequestEnd::Shed : routing::RequestEnd::Failed;
    return fact;
}

const RouteConfig* routeOf(const Config& config, const store::AttemptRow& attempt)
{
    const auto model = config.models.find(attempt.model);
    if (model == config.models.end()) return nullptr;
    for (const RouteConfig& route : model->second.routes) {
        if (route.name() == attempt.route) return &route;
    }
    return nullptr;
}

void checkTerms(TermsReport& report, const Config& config, const store::AttemptRow& attempt)
{
    const std::vector<std::string_view> asked = listElements(attempt.termsAsked);
    if (asked.empty()) return;
    const RouteConfig* const route = routeOf(config, attempt);
    if (route == nullptr) {
        ++report.unknown;
        return;
    }
    const bool hasAll = std::all_of(asked.begin(), asked.end(), [route](std::string_view term) {
        return std::find(route->terms.begin(), route->terms.end(), term) != route->terms.end();
    });
    if (!hasAll) ++report.violations;
}

} // namespace

bool isInRegion(std::string_view route, std::string_view regionsAsked)
{
    const std::vector<std::string_view> regions = listElements(regionsAsked);
    if (regions.empty()) return true;
    const std::size_t at = route.rfind('@');
    const std::string_view region =
        at == std::string_view::npos ? std::string_view{} : route.substr(at + 1);
    return std::find(regions.begin(), regions.end(), region) != regions.end();
}

Result<LedgerReport>
ledgerReport(store::Store& store, const store::RequestQuery& query, const Config* config)
{
    routing::DegradationTally tally(query.fromMs, query.toMs);
    LedgerReport report;
    if (config != nullptr) report.terms.emplace();
    const Status<> read = store.eachAttempt(query, [&](const store::AttemptRow& attempt) {
        // A copy for comparison, too, must not leave the region.
        if (!isInRegion(attempt.route, attempt.regionsAsked)) tally.residencyViolated();
        if (config != nullptr) checkTerms(*report.terms, *config, attempt);
        if (attempt.last && !attempt.aside) tally.count(factOf(attempt));
    });
    if (!read) return tl::unexpected(read.error());
    const Status<> rest = store.eachUnserved(
        query, [&tally](const store::UnservedRow& row) { tally.count(factOf(row)); });
    if (!rest) return tl::unexpected(rest.error());
    report.degradation = tally.report();
    report.minutes = tally.minutes();
    return report;
}

} // namespace weir::reports
