// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_runner.h"
#include "agent/ctl/eval_view.h"
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/net/clock.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

Exit refused(const Io& io, const Error& error)
{
    failed(io, error);
    return error.code == "bad_usage" ? Exit::Usage : Exit::Failed;
}

Exit showPlan(const EvalPlan& plan, const Options& options, const Io& io)
{
    if (options.json) {
        Json json{
            {"task_type", plan.taskType},
            {"eval_set", plan.setName},
            {"eval_set_hash", plan.set.hash},
            {"cases", plan.set.cases.size()},
            {"routes", Json::array()}};
        for (const EvalTarget& each : plan.targets)
            json["routes"].push_back({{"model", each.model}, {"provider", each.provider}});
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    io.out << plan.set.cases.size() << " cases of " << plan.setName << " (" << plan.set.hash
           << ") for task type " << plan.taskType << " would be asked of:\n";
    for (const EvalTarget& each : plan.targets)
        io.out << "  " << cleaned(each.model) << " at " << cleaned(each.provider) << '\n';
    return Exit::Done;
}

/// At most one line a second.
auto reporter(const Io& io)
{
    return [&io, next = net::monotonicNow()](std::size_t done, std::size_t all) mutable {
        const Instant now = net::monotonicNow();
        if (now < next && done < all) return;
        next = now + std::chrono::seconds{1};
        io.err << "eval: " << done << " of " << all << " cases asked\n" << std::flush;
    };
}

std::optional<std::int64_t> median(std::vector<std::int64_t> values)
{
    if (values.empty()) return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<store::EvalRunRow> rowsOf(
    const EvalPlan& plan,
    const std::vector<EvalFinding>& findings,
    const store::Authorship& by,
    UtcTime now)
{
    std::vector<store::EvalRunRow> rows;
    for (const EvalFinding& finding : findings) {
        store::EvalRunRow& row = rows.emplace_back();
        row.run = by.requestUuid;
        row.score.model = finding.target.model;
        row.score.provider = finding.target.provider;
        row.score.taskType = plan.taskType;
        row.score.evalSet = plan.setName;
        row.score.evalSetHash = plan.set.hash;
        row.score.scoredAt = now;
        finding.tally.writeTo(row.score);
        row.tells = finding.tally.isTelling();
        row.grader = plan.grader;
        row.who = by.who;
        row.host = by.host;
        row.startedAt = by.at;
        row.cut = finding.tally.cut();
        row.inputTokens = finding.use.inputTokens;
        row.outputTokens = finding.use.outputTokens;
        row.costMicroUsd = finding.use.costMicroUsd;
        row.latencyP50Ms = median(finding.tookMs);
    }
    return rows;
}

void showRun(
    const EvalPlan& plan,
    const std::vector<store::EvalRunRow>& rows,
    const std::vector<EvalFinding>& findings,
    const Options& options,
    const Io& io)
{
    if (options.json) {
        Json json{{"run", rows.front().run}, {"routes", Json::array()}};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Json& route = json["routes"].emplace_back(toJson(rows[i]));
            route["sounds_refused"] = findings[i].tally.soundRefused();
            route["failed_cases"] = Json::array();
            for (const std::size_t place : findings[i].failedCases)
                route["failed_cases"].push_back(plan.set.cases[place].id);
            route["troubles"] = findings[i].troubles;
        }
        io.out << dumped(json) << '\n';
        return;
    }
    print(io, evalRunLines(rows, io.width()));
    for (const EvalFinding& finding : findings) {
        const std::string name = cleaned(finding.target.model + " at " + finding.target.provider);
        for (const auto& [trouble, times] : finding.troubles)
            io.out << name << ": " << times << " unanswered: " << trouble << '\n';
        if (finding.tally.cut() > 0) {
            io.out << name << ": " << finding.tally.cut()
                   << " cut answers: max_tokens may be too small\n";
        }
        if (finding.tally.soundRefused() > 0) {
            io.out << name << ": " << finding.tally.soundRefused()
                   << " answers sound like a refusal, but are none by protocol\n";
        }
        if (!finding.tally.isTelling())
            io.out << name << ": no score, for less than half of the cases were answered\n";
    }
    io.out << "stored as run " << rows.front().run << '\n';
}

} // namespace

Exit run(const EvalRunVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const Result<EvalPlan> plan = planEval(verb, places, io.env);
    if (!plan) return refused(io, plan.error());
    if (verb.dryRun) return showPlan(*plan, options, io);
    // Opened before the run, so that nobody pays for scores that cannot be kept.
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const store::Authorship by = authorship("", io.env, net::utcNow());
    EvalRunner runner(*plan);
    const Result<std::vector<EvalFinding>> findings = runner.run(reporter(io));
    if (!findings) return failed(io, findings.error());
    const std::vector<store::EvalRunRow> rows = rowsOf(*plan, *findings, by, net::utcNow());
    const Status<> saved = (*database)->saveEvalRun(rows);
    // What was paid for is shown, whether or not it can be kept.
    showRun(*plan, rows, *findings, options, io);
    if (!saved) return failed(io, saved.error());
    const bool allTell =
        std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.tells; });
    return allTell ? Exit::Done : Exit::Failed;
}

Exit run(const EvalListVerb&, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const auto scores = (*database)->qualityScores();
    if (!scores) return failed(io, scores.error());
    if (options.json) {
        Json json{{"scores", Json::array()}};
        for (const QualityScore& each : *scores)
            json["scores"].push_back(toJson(each));
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    if (scores->empty()) {
        io.out << "No route has been scored yet: weirctl eval run.\n";
        return Exit::Done;
    }
    print(io, evalScoreLines(*scores, net::utcNow(), io.width()));
    return Exit::Done;
}

Exit run(const EvalShowVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    const auto rows = (*database)->evalRuns(verb.run, verb.limit);
    if (!rows) return failed(io, rows.error());
    if (rows->empty() && !verb.run.empty()) {
        return failed(io, "no eval run has the id " + cleaned(verb.run));
    }
    if (options.json) {
        Json json{{"rows", Json::array()}};
        for (const store::EvalRunRow& each : *rows)
            json["rows"].push_back(toJson(each));
        io.out << dumped(json) << '\n';
        return Exit::Done;
    }
    std::size_t from = 0;
    while (from < rows->size()) {
        const store::EvalRunRow& first = (*rows)[from];
        std::size_t to = from;
        while (to < rows->size() && (*rows)[to].run == first.run)
            ++to;
        io.out << "run " << cleaned(first.run) << ": " << cleaned(first.score.evalSet) << " for "
               << cleaned(first.score.taskType) << ", " << toIso(first.score.scoredAt) << " by "
               << cleaned(first.who) << '@' << cleaned(first.host) << '\n';
        print(io, evalRunLines({rows->data() + from, to - from}, io.width()));
        from = to;
    }
    return Exit::Done;
}

} // namespace weir::ctl
