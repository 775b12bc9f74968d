// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_options.h"

#include <CLI/CLI.hpp>

namespace weir::ctl {
namespace {

void addWhom(CLI::App& run, EvalRunVerb& verb)
{
    run.add_option("set", verb.setFile, "the cases, a JSON object a line")
        ->required()
        ->type_name("SET.jsonl");
    run.add_option("--task", verb.taskType, "the task type that the scores are for")
        ->required()
        ->type_name("TYPE");
    run.add_option("--model", verb.models, "only these; by default the task's ladder, see --config")
        ->type_name("M");
    run.add_option("--route", verb.providers, "only these providers")->type_name("PROVIDER");
    run.add_option("--grader", verb.grader, "the model that grades cases with a rubric")
        ->type_name("MODEL");
}

void addHow(CLI::App& run, EvalRunVerb& verb)
{
    constexpr int kMostAtOnce = 64;
    constexpr int kMostPatienceS = 3600;
    run.add_option("--concurrency", verb.concurrency, "cases asked at a time, 4 by default")
        ->type_name("N")
        ->check(CLI::Range(1, kMostAtOnce));
    run.add_option(
           "--patience", verb.patienceS, "try a case again for so many seconds, 60 by default")
        ->type_name("S")
        ->check(CLI::Range(0, kMostPatienceS));
    run.add_flag("--dry-run", verb.dryRun, "check the set and say whom it would ask");
    run.add_option("--region", verb.regions, "regions that a route must be in, comma separated")
        ->type_name("R");
    run.add_option("--terms", verb.terms, "contract terms that a route must have")->type_name("T");
    run.add_option("--key-env", verb.keyEnv, "the variable that holds a client key")
        ->type_name("NAME");
    run.add_option("--data", verb.dataUrl, "the agent's data plane (http://127.0.0.1:8790)")
        ->type_name("URL");
}

} // namespace

void addEval(CLI::App& app, Verb& verb, EvalTexts& texts)
{
    CLI::App* group =
        app.add_subcommand("eval", "how well each route does a task (run, list, show)");
    group->require_subcommand(1);

    CLI::App* run =
        group->add_subcommand("run", "ask every route every case, and store the scores");
    addWhom(*run, texts.run);
    addHow(*run, texts.run);
    run->callback([&verb, &texts] { verb = texts.run; });

    group->add_subcommand("list", "the scores that routing goes by")->callback([&verb] {
        verb = EvalListVerb{};
    });

    CLI::App* show = group->add_subcommand("show", "one run, or the newest ones");
    constexpr int kMostRows = 1000;
    show->add_option("run", texts.show.run, "the run's id")->type_name("ID");
    show->add_option("--limit", texts.show.limit, "rows, 50 by default")
        ->type_name("N")
        ->check(CLI::Range(1, kMostRows));
    show->callback([&verb, &texts] { verb = texts.show; });
}

} // namespace weir::ctl
