// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/ledger_view.h"
#include "agent/ctl/verbs.h"
#include "common/base/text.h"
#include "common/model/call_record_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const store::CallSums& sums)
{
    Json outcomes = Json::object();
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        if (sums.outcomes[i] > 0)
            outcomes[std::string{toWord(static_cast<Outcome>(i))}] = sums.outcomes[i];
    }
    return {
        {"attempts", sums.calls},
        {"outcomes", std::move(outcomes)},
        {"input_uncached", sums.inputUncached},
        {"input_cached", sums.inputCached},
        {"cache_write", sums.cacheWrite},
        {"output", sums.output},
        {"reasoning", sums.reasoning},
        {"tokens_unknown", sums.tokensUnknown},
        {"cost_micro_usd", sums.costMicroUsd},
        {"cost_unknown", sums.costUnknown}};
}

Json toJson(const store::LedgerPage& page, const std::vector<store::ProviderTotals>& totals)
{
    Json json{{"rows", Json::array()}, {"next", nullptr}, {"totals", toJson(sumOf(totals))}};
    for (const CallRecord& row : page.rows)
        json["rows"].push_back(weir::toJson(row));
    if (page.next) json["next"] = toText(*page.next);
    json["totals"]["by_provider"] = Json::object();
    for (const store::ProviderTotals& one : totals) {
        json["totals"]["by_provider"][one.provider] = toJson(one.sums);
    }
    return json;
}

} // namespace

Exit run(const LedgerQueryVerb& verb, const Places& places, const Options& options, const Io& io)
{
    store::LedgerQuery query;
    query.filter.from = verb.since;
    query.filter.to = verb.until;
    query.filter.requestId = verb.requestId;
    query.filter.taskId = verb.taskId;
    query.filter.taskType = verb.taskType;
    query.filter.model = verb.model;
    query.filter.provider = verb.provider;
    query.filter.outcome = verb.outcome;
    query.limit = verb.limit;
    if (!verb.after.empty()) {
        query.after = parseCursor(verb.after);
        if (!query.after) {
            failed(io, "--after: is no cursor: give the word that the page before ended with");
            return Exit::Usage;
        }
    }
    const auto store = places.openStore();
    if (!store) return failed(io, store.error());
    const Result<store::LedgerPage> page = (*store)->queryLedger(query);
    if (!page) return failed(io, page.error());
    const Result<std::vector<store::ProviderTotals>> totals = (*store)->totals(query.filter);
    if (!totals) return failed(io, totals.error());
    if (options.json) {
        io.out << dumped(toJson(*page, *totals)) << '\n';
        return Exit::Done;
    }
    print(io, ledgerLines(page->rows, io.width()));
    if (page->next) io.out << "… older ones with --after " << cleaned(toText(*page->next)) << '\n';
    if (!totals->empty()) {
        io.out << "\nAll that match:\n";
        print(io, totalLines(*totals, io.width()));
    }
    return Exit::Done;
}

} // namespace weir::ctl
