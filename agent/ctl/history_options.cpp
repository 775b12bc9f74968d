// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/history_options.h"

#include <CLI/CLI.hpp>

namespace weir::ctl {
namespace {

constexpr int kLimitMax = 1000;

CLI::Validator momentTest(UtcTime now)
{
    const auto test = [now](std::string& text) -> std::string {
        if (parseMoment(text, now)) return {};
        return "is no time: write 2026-11-30T10:00:00Z, 2026-11-30, or an age such as 15m, 2h, 7d";
    };
    return CLI::Validator{test, ""};
}

void addSince(CLI::App& verb, HistoryTexts& texts, UtcTime now, const char* name = "--since")
{
    verb.add_option(name, texts.since, "at or after; 24h by default")
        ->type_name("TIME")
        ->check(momentTest(now));
}

void addLimit(CLI::App& verb, int& limit)
{
    verb.add_option("--limit", limit, "rows, 50 by default")
        ->type_name("N")
        ->check(CLI::Range(1, kLimitMax));
}

void addDecisions(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    CLI::App* group = app.add_subcommand(
        "decisions", "why requests went where they went (list, show, replay, agreement)");
    group->require_subcommand(1);

    CLI::App* list = group->add_subcommand("list", "the last decisions, the newest first");
    addSince(*list, texts, now);
    addLimit(*list, texts.list.limit);
    list->callback([&verb, &texts, now] {
        texts.list.since = parseMoment(texts.since, now);
        verb = texts.list;
    });

    CLI::App* show = group->add_subcommand("show", "why this route, and why none of the others");
    show->add_option("id", texts.show.requestId, "the request's id")->required()->type_name("ID");
    show->callback([&verb, &texts] { verb = texts.show; });

    CLI::App* replay = group->add_subcommand(
        "replay", "decide again from what was saved; with --set, under other settings");
    addSince(*replay, texts, now);
    replay
        ->add_option(
            "--set,--weights",
            texts.replay.assignments,
            "a setting that is to be another, such as slow_factor=2.5")
        ->type_name("KEY=VALUE");
    replay->callback([&verb, &texts, now] {
        texts.replay.since = parseMoment(texts.since, now);
        verb = texts.replay;
    });

    CLI::App* agreement = group->add_subcommand(
        "agreement", "how often shadow mode would have chosen as the fixed order did");
    addSince(*agreement, texts, now);
    agreement->callback(
        [&verb, &texts, now] { verb = DecisionsAgreementVerb{parseMoment(texts.since, now)}; });
}

void addIncidents(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    CLI::App* group =
        app.add_subcommand("incidents", "what went wrong, and when (list, show, export)");
    group->require_subcommand(1);

    CLI::App* list = group->add_subcommand("list", "incidents that were open, the newest first");
    addSince(*list, texts, now);
    addLimit(*list, texts.incidents.limit);
    list->add_flag("--open", texts.incidents.openOnly, "only those that are open still");
    list->callback([&verb, &texts, now] {
        texts.incidents.since = parseMoment(texts.since, now);
        verb = texts.incidents;
    });

    CLI::App* show = group->add_subcommand("show", "one incident with everything that happened");
    show->add_option("id", texts.incident.id, "the incident's id")->required()->type_name("ID");
    show->callback([&verb, &texts] { verb = texts.incident; });

    CLI::App* dump = group->add_subcommand("export", "incidents as JSON, one a line");
    addSince(*dump, texts, now);
    dump->callback(
        [&verb, &texts, now] { verb = IncidentsExportVerb{parseMoment(texts.since, now)}; });
}

void addReport(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    CLI::App* report = app.add_subcommand(
        "report", "share of requests per level, time in each mode, and whether residency held");
    addSince(*report, texts, now, "--from,--since");
    report->add_option("--to", texts.to, "before; now by default")
        ->type_name("TIME")
        ->check(momentTest(now));
    report->add_option("--task", texts.report.taskType, "one type of task")->type_name("TYPE");
    report->callback([&verb, &texts, now] {
        texts.report.from = parseMoment(texts.since, now).value_or(now);
        texts.report.to = parseMoment(texts.to, now).value_or(now);
        verb = texts.report;
    });
}

void addMirror(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    CLI::App* group =
        app.add_subcommand("mirror", "how candidates did with copies of requests (report)");
    group->require_subcommand(1);
    CLI::App* report = group->add_subcommand(
        "report", "each candidate beside what served, and whether to promote it");
    addSince(*report, texts, now);
    report->add_option("--task", texts.mirror.taskType, "one type of task")->type_name("TYPE");
    report->callback([&verb, &texts, now] {
        texts.mirror.since = parseMoment(texts.since, now);
        verb = texts.mirror;
    });
}

void addTasks(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    CLI::App* tasks = app.add_subcommand(
        "tasks", "each task type: success, failovers, waits, and its cost against the time before");
    addSince(*tasks, texts, now);
    tasks->callback([&verb, &texts, now] {
        verb = TasksVerb{parseMoment(texts.since, now).value_or(now), now};
    });
}

} // namespace

void addHistory(CLI::App& app, Verb& verb, HistoryTexts& texts, UtcTime now)
{
    addDecisions(app, verb, texts, now);
    addIncidents(app, verb, texts, now);
    addReport(app, verb, texts, now);
    addMirror(app, verb, texts, now);
    addTasks(app, verb, texts, now);
}

} // namespace weir::ctl
