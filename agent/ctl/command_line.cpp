// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/command_line.h"

#include "agent/config/nearest.h"
#include "agent/ctl/drill_options.h"
#include "agent/ctl/eval_options.h"
#include "agent/ctl/history_options.h"
#include "agent/ctl/reason_option.h"
#include "common/base/text.h"
#include "common/model/outcome.h"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>

namespace weir::ctl {
namespace {

constexpr std::array<std::string_view, 3> kModes{"adaptive", "shadow", "fixed"};

/// CLI11 turns an exception of a validator's text into a usage error; an empty text is consent.
CLI::Validator check(std::string name, std::function<std::string(std::string&)> test)
{
    return CLI::Validator{std::move(test), std::move(name)};
}

std::string modeFault(std::string& text)
{
    if (modeFromWord(text)) return {};
    return "must be adaptive, shadow or fixed, not " + cleaned(text, 40) +
           (config::nearest(text, kModes) ? config::suggestion(text, kModes) : "");
}

std::string outcomeFault(std::string& text)
{
    if (outcomeFromWord(text)) return {};
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < kOutcomeCount; ++i)
        words.push_back(toWord(static_cast<Outcome>(i)));
    return "no such outcome: " + cleaned(text, 40) + config::suggestion(text, words);
}

void addOptions(CLI::App& app, Options& options)
{
    app.add_flag("--json", options.json, "print JSON instead of text for people");
    app.add_option("--agent", options.agentUrl, "the agent's admin address (http://127.0.0.1:8791)")
        ->type_name("URL");
    app.add_option("--store", options.storeUrl, "the store: sqlite:/path/weir.db")
        ->type_name("URL");
    app.add_option("--config", options.configFile, "the agent's configuration, to find both")
        ->type_name("FILE");
    app.add_option("--data-dir", options.dataDir, "the agent's data directory")->type_name("DIR");
    app.add_option("--token-env", options.tokenEnv, "the variable that holds the admin token")
        ->type_name("NAME");
}

/// A group such as "mode": it does nothing without a verb of its own.
CLI::App& addGroup(CLI::App& app, const char* name, const char* meaning)
{
    CLI::App* group = app.add_subcommand(name, meaning);
    group->require_subcommand(1);
    return *group;
}

void addMode(CLI::App& app, Verb& verb, ModeSetVerb& set, std::string& word)
{
    CLI::App& mode = addGroup(app, "mode", "turn the routing switch (set) or look at it (get)");
    mode.add_subcommand("get", "show the switch and how the agents run")->callback([&verb] {
        verb = ModeGetVerb{};
    });
    CLI::App* turn = mode.add_subcommand("set", "turn the switch and wait for the agents");
    turn->add_option("mode", word, "adaptive, shadow or fixed")
        ->required()
        ->check(check("", modeFault));
    addReason(*turn, set.reason);
    turn->add_option("--if-version", set.ifVersion, "only where the switch has this version still")
        ->type_name("N");
    turn->callback([&] {
        set.mode = *modeFromWord(word);
        verb = set;
    });
}

void addSettings(CLI::App& app, Verb& verb, SettingsGetVerb& get, SettingsSetVerb& set)
{
    CLI::App& settings =
        addGroup(app, "settings", "change settings while agents run (set) or show them (get)");
    CLI::App* show = settings.add_subcommand("get", "show the settings");
    show->add_option("key", get.keys, "only these")->type_name("KEY");
    show->callback([&] { verb = get; });
    CLI::App* change = settings.add_subcommand("set", "change settings");
    change
        ->add_option(
            "assignment",
            set.assignments,
            "KEY=VALUE; for a route route.MODEL.PROVIDER.enabled, .score_bias, .fixed_position")
        ->required()
        ->type_name("KEY=VALUE");
    addReason(*change, set.reason);
    change->callback([&] { verb = set; });
}

void addAgents(CLI::App& app, Verb& verb, AgentsForgetVerb& forget)
{
    CLI::App& agents = addGroup(app, "agents", "the agents of the fleet (list, forget)");
    agents.add_subcommand("list", "every agent of the store, silent ones too")->callback([&verb] {
        verb = AgentsListVerb{};
    });
    CLI::App* gone = agents.add_subcommand("forget", "take one off the list that is gone for good");
    gone->add_option("id", forget.id, "its id, or the start of it")->required()->type_name("ID");
    gone->callback([&] { verb = forget; });
}

void addStore(CLI::App& app, Verb& verb)
{
    CLI::App& store = addGroup(app, "store", "the store of an agent or a fleet (migrate)");
    store
        .add_subcommand(
            "migrate",
            "bring its schema up to date, as a user who may: agents then need no right to")
        ->callback([&verb] { verb = StoreMigrateVerb{}; });
}

struct LedgerTexts
{
    std::string since;
    std::string until;
    std::string outcome;
};

void addLedger(CLI::App& app, Verb& verb, LedgerQueryVerb& query, LedgerTexts& texts, UtcTime now)
{
    CLI::App& ledger = addGroup(app, "ledger", "what was asked of whom, and what it cost (query)");
    CLI::App* list = ledger.add_subcommand("query", "list attempts, the newest first, with totals");
    const auto moment = check("", [now](std::string& text) -> std::string {
        if (parseMoment(text, now)) return {};
        return "is no time: write 2026-11-30T10:00:00Z, 2026-11-30, or an age such as 15m, 2h, 7d";
    });
    list->add_option("--since", texts.since, "started at or after")
        ->type_name("TIME")
        ->check(moment);
    list->add_option("--until", texts.until, "started before")->type_name("TIME")->check(moment);
    list->add_option("--request", query.requestId, "one request")->type_name("ID");
    list->add_option("--task", query.taskId, "one task")->type_name("ID");
    list->add_option("--task-type", query.taskType, "one type of task")->type_name("TYPE");
    list->add_option("--model", query.model, "one model")->type_name("NAME");
    list->add_option("--provider", query.provider, "one provider")->type_name("NAME");
    list->add_option("--outcome", texts.outcome, "one outcome, such as rate_limited")
        ->type_name("WORD")
        ->check(check("", outcomeFault));
    list->add_option("--limit", query.limit, "rows of the page, 50 by default")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    list->add_option("--after", query.after, "go on behind this cursor")->type_name("CURSOR");
    list->callback([&, now] {
        query.since = parseMoment(texts.since, now);
        query.until = parseMoment(texts.until, now);
        query.outcome = outcomeFromWord(texts.outcome);
        verb = query;
    });
}

std::string policyFault(std::string& text)
{
    if (sim::simPolicyFromWord(text)) return {};
    return "must be adaptive, shadow, fixed, round-robin or oracle, not " + cleaned(text, 40);
}

void addSimulate(CLI::App& app, Verb& verb, SimulateVerb& simulate, std::string& policy)
{
    CLI::App* run = app.add_subcommand(
        "simulate", "run a scenario on a virtual clock: what would routing have done?");
    run->add_option("scenario", simulate.scenarioFile, "the scenario, a JSON file")
        ->required()
        ->type_name("SCENARIO.json");
    run->add_option(
           "--policy", policy, "adaptive, shadow, fixed, round-robin or oracle, not the file's")
        ->type_name("P")
        ->check(check("", policyFault));
    run->add_option("--seed", simulate.seed, "other chance than the file's")->type_name("N");
    run->add_option("--out", simulate.outFile, "write the whole result there, as JSON")
        ->type_name("FILE");
    run->callback([&] {
        simulate.policy = sim::simPolicyFromWord(policy);
        verb = simulate;
    });
}

/// The app whose verb was chosen last: "weirctl mode" of "weirctl mode stet".
const CLI::App& deepest(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : deepest(*chosen.front());
}

/// ": did you mean set?", where a word stands in a verb's place that is none.
std::optional<std::string> wrongVerb(const CLI::App& app)
{
    std::vector<std::string_view> known;
    for (const CLI::App* verb :
         deepest(app).get_subcommands([](const CLI::App*) { return true; })) {
        known.push_back(verb->get_name());
    }
    const std::vector<std::string> rest = app.remaining(true);
    if (known.empty() || rest.empty() || rest.front().starts_with('-')) return std::nullopt;
    return "no such verb: " + cleaned(rest.front(), 40) + config::suggestion(rest.front(), known);
}

/// "weirctl mode set": where a person should look for help.
std::string pathOf(const CLI::App& app)
{
    std::string path = app.get_name();
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? path : path + ' ' + pathOf(*chosen.front());
}

} // namespace

std::optional<UtcTime> parseMoment(std::string_view text, UtcTime now)
{
    if (const Result<UtcTime> iso = parseIso(text)) return *iso;
    if (text.size() == 10) {
        if (const Result<UtcTime> day = parseIso(std::string{text} + "T00:00:00Z")) return *day;
    }
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    constexpr std::int64_t kMost = 10'000'000;
    if (error != std::errc{} || count < 0 || count > kMost) return std::nullopt;
    if (unit == "s") return now - std::chrono::seconds{count};
    if (unit == "m" || unit == "min") return now - std::chrono::minutes{count};
    if (unit == "h") return now - std::chrono::hours{count};
    if (unit == "d") return now - std::chrono::days{count};
    return std::nullopt;
}

Result<Invocation, Farewell>
parseCommandLine(const std::vector<std::string>& arguments, UtcTime now)
{
    Invocation invocation;
    Verb& verb = invocation.verb;
    TopVerb top;
    ModeSetVerb modeSet;
    std::string modeWord;
    SettingsGetVerb settingsGet;
    SettingsSetVerb settingsSet;
    AgentsForgetVerb forget;
    LedgerQueryVerb ledger;
    LedgerTexts texts;
    SimulateVerb simulate;
    std::string policy;
    HistoryTexts history;
    DrillTexts drills;
    EvalTexts eval;

    CLI::App app{
        "The terminal hand of Weir: looks at agents, turns the switch, reads the ledger, "
        "simulates.",
        "weirctl"};
    app.fallthrough();
    app.footer(
        "Every verb takes --json, --agent, --store, --config, --data-dir and --token-env as well.\n"
        "Exit codes: 0 done, 1 the thing asked for failed, 2 bad usage.");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string{"weirctl "} + WEIR_VERSION);
    addOptions(app, invocation.options);
    app.add_subcommand("status", "show an agent once")->callback([&verb] { verb = StatusVerb{}; });
    app.add_subcommand("capacity", "show what a full failover of each route would take")
        ->callback([&verb] { verb = CapacityVerb{}; });
    CLI::App* live = app.add_subcommand("top", "watch an agent; q or Ctrl-C ends it");
    live->add_flag("--once", top.once, "print one snapshot and end");
    live->callback([&] { verb = top; });
    addMode(app, verb, modeSet, modeWord);
    addSettings(app, verb, settingsGet, settingsSet);
    addAgents(app, verb, forget);
    addStore(app, verb);
    addLedger(app, verb, ledger, texts, now);
    addSimulate(app, verb, simulate, policy);
    addEval(app, verb, eval);
    addHistory(app, verb, history, now);
    addDrills(app, verb, drills);
    try {
        app.parse(std::vector<std::string>{arguments.rbegin(), arguments.rend()});
    } catch (const CLI::CallForHelp&) {
        return tl::unexpected{Farewell{Exit::Done, app.help()}};
    } catch (const CLI::CallForVersion&) {
        return tl::unexpected{Farewell{Exit::Done, app.version() + '\n'}};
    } catch (const CLI::ParseError& error) {
        const std::string what = wrongVerb(app).value_or(cleaned(error.what(), 1000));
        return tl::unexpected{
            Farewell{Exit::Usage, "weirctl: " + what + ": see " + pathOf(app) + " --help\n"}};
    }
    return invocation;
}

} // namespace weir::ctl
