// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/agreement.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace weir::reports {
namespace {

struct Choice
{
    std::string provider = "none";
    std::optional<std::uint8_t> route;
};

Choice firstOf(const SavedDecision& saved, const Decision& decision)
{
    if (decision.candidates.empty()) return {};
    const std::uint8_t route = decision.candidates[0].route;
    return {saved.providers.at(route), route};
}

const RouteFigures* figuresOf(const PoolSummary& pool, const std::string& provider)
{
    const auto found = std::ranges::find(pool.routes, provider, &RouteFigures::provider);
    return found == pool.routes.end() ? nullptr : &*found;
}

class Tally final
{
public:
    explicit Tally(store::Database& database)
        : m_summaries(database)
    {
    }

    Status<> add(const CallRecord& record)
    {
        ++m_result.read;
        const Result<SavedDecision> saved = decodeSavedDecision(record.decision);
        if (!saved || !saved->shadow) return {};
        const Choice served = firstOf(*saved, saved->served.decision);
        const Choice shadow = firstOf(*saved, saved->shadow->decision);
        ++m_result.decisions;
        ++m_result.first[served.provider].fixed;
        ++m_result.first[shadow.provider].shadow;
        if (served.provider == shadow.provider) {
            ++m_result.agreed;
            m_costs.push_back(0.0);
            m_waits.push_back(0.0);
            return {};
        }
        addDisagreement(*saved, served, shadow);
        return estimate(record, *saved, served, shadow);
    }

    Agreement result()
    {
        for (const auto& [key, count] : m_disagreements) {
            const auto& [served, shadow, whyShadow, whyNot] = key;
            m_result.disagreements.push_back({served, shadow, whyShadow, whyNot, count});
        }
        std::ranges::stable_sort(m_result.disagreements, std::greater{}, &Disagreement::decisions);
        m_result.costUsd = quality::pairedDifference(m_costs);
        m_result.ttftS = quality::pairedDifference(m_waits);
        return std::move(m_result);
    }

private:
    void addDisagreement(const SavedDecision& saved, const Choice& served, const Choice& shadow)
    {
        const Decision& other = saved.shadow->decision;
        const ReasonCode why =
            other.candidates.empty() ? ReasonCode::Ineligible : other.candidates[0].code;
        const bool isKnown = served.route && *served.route < other.codes.size();
        const ReasonCode whyNot = isKnown ? other.codes[*served.route] : ReasonCode::Ineligible;
        ++m_disagreements[{served.provider, shadow.provider, why, whyNot}];
    }

    Status<> estimate(
        const CallRecord& record,
        const SavedDecision& saved,
        const Choice& served,
        const Choice& shadow)
    {
        const Result<const PoolSummary*> pool =
            poolOf(m_summaries, record, saved.shadow->snapshotId);
        if (!pool) {
            if (pool.error().code == "summary_missing") return {};
            return tl::unexpected(pool.error());
        }
        if (*pool == nullptr) return {};
        const RouteFigures* from = figuresOf(**pool, served.provider);
        const RouteFigures* to = figuresOf(**pool, shadow.provider);
        if (from == nullptr || to == nullptr) return {};
        if (from->costNanoUsd > 0 && to->costNanoUsd > 0) {
            m_costs.push_back(static_cast<double>(to->costNanoUsd - from->costNanoUsd) / 1e9);
        }
        if (from->ttftUs.value > 0 && to->ttftUs.value > 0) {
            m_waits.push_back(static_cast<double>(to->ttftUs.value - from->ttftUs.value) / 1e6);
        }
        return {};
    }

    Summaries m_summaries;
    Agreement m_result;
    std::map<std::tuple<std::string, std::string, ReasonCode, ReasonCode>, std::int64_t>
        m_disagreements;
    std::vector<double> m_costs;
    std::vector<double> m_waits;
};

} // namespace

std::optional<double> Agreement::rate() const
{
    if (decisions == 0) return std::nullopt;
    return static_cast<double>(agreed) / static_cast<double>(decisions);
}

Result<Agreement>
readAgreement(store::Database& database, std::optional<UtcTime> since, std::int64_t atMost)
{
    Tally tally(database);
    std::int64_t read = 0;
    std::optional<store::LedgerCursor> after;
    do {
        const Result<store::LedgerPage> page = decidedPage(database, since, after);
        if (!page) return tl::unexpected(page.error());
        for (const CallRecord& record : page->rows) {
            if (const Status<> added = tally.add(record); !added)
                return tl::unexpected(added.error());
        }
        read += static_cast<std::int64_t>(page->rows.size());
        after = page->next;
    } while (after && read < atMost);
    return tally.result();
}

} // namespace weir::reports
