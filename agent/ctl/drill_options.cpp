// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/drill_options.h"

#include "agent/config/nearest.h"
#include "agent/ctl/reason_option.h"
#include "agent/reports/drill_plan.h"
#include "common/base/text.h"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace weir::ctl {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 4> kKinds{"breaker", "rate_limit", "error", "delay"};
constexpr double kPpm = 1e6;

std::string kindFault(std::string& text)
{
    if (drillKindFromWord(text)) return {};
    return "no such kind of drill: " + cleaned(text, 40) + config::suggestion(text, kKinds);
}

/// "90s", "5m", "1h": a second to an hour.
std::optional<milliseconds> lengthOf(std::string_view text)
{
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
    if (error != std::errc{} || count < 1 || count > 3600) return std::nullopt;
    std::optional<milliseconds> length;
    if (unit == "s") length = std::chrono::seconds{count};
    if (unit == "m" || unit == "min") length = std::chrono::minutes{count};
    if (unit == "h") length = std::chrono::hours{count};
    if (length && *length > std::chrono::hours{1}) return std::nullopt;
    return length;
}

std::string lengthFault(std::string& text)
{
    if (lengthOf(text)) return {};
    return "must be 1s to 1h, such as 90s or 5m, not " + cleaned(text, 40);
}

/// Nothing where it is no number.
std::optional<double> numberOf(std::string_view text)
{
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string shareFault(std::string& text)
{
    const std::optional<double> share = numberOf(text);
    if (share && *share >= 1.0 / kPpm && *share <= 1.0) return {};
    return "must be above 0 and at most 1, such as 0.3, not " + cleaned(text, 40);
}

std::string abortFault(std::string& text)
{
    const std::optional<double> share = numberOf(text);
    if (share && *share >= 0.0 && *share <= 1.0) return {};
    return "must be 0 to 1, such as 0.05, not " + cleaned(text, 40);
}

/// What the options say together.
DrillStartVerb startOf(const DrillTexts& texts)
{
    DrillStartVerb start = texts.start;
    start.kind = *drillKindFromWord(texts.kind);
    start.length = *lengthOf(texts.length);
    start.abortFailurePpm = std::llround(texts.abortAbove * kPpm);
    if (start.kind == DrillKind::Breaker && texts.share) {
        throw CLI::ValidationError("--share", "an open breaker has no share: leave it out");
    }
    if (texts.share) start.sharePpm = std::llround(*texts.share * kPpm);
    const bool isDelay = start.kind == DrillKind::Delay;
    if (isDelay != texts.delayMs.has_value()) {
        throw CLI::ValidationError(
            "--delay-ms", isDelay ? "a delay must say how long" : "is for --kind delay alone");
    }
    start.delayMs = texts.delayMs.value_or(0);
    return start;
}

void addStart(CLI::App& group, Verb& verb, DrillTexts& texts)
{
    CLI::App* start = group.add_subcommand(
        "start", "provoke a failure of one route, bounded in time, and see what users see");
    start->add_option("model", texts.start.model, "whose route")->required()->type_name("MODEL");
    start->add_option("provider", texts.start.provider, "which of its routes")
        ->required()
        ->type_name("PROVIDER");
    start
        ->add_option(
            "--kind", texts.kind, "breaker (no traffic), rate_limit (429), error (503) or delay")
        ->required()
        ->type_name("KIND")
        ->check(CLI::Validator{kindFault, ""});
    start->add_option("--for", texts.length, "how long, at most 1h; it ends by itself")
        ->required()
        ->type_name("TIME")
        ->check(CLI::Validator{lengthFault, ""});
    start->add_option("--share", texts.share, "of the route's requests, 1 (all) by default")
        ->type_name("SHARE")
        ->check(CLI::Validator{shareFault, ""});
    start->add_option("--delay-ms", texts.delayMs, "how long each of them waits (--kind delay)")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, reports::kDrillDelayMaxMs));
    start
        ->add_option(
            "--abort-above",
            texts.abortAbove,
            "end it where more of the model's requests than this fail, 0.05 by default")
        ->type_name("SHARE")
        ->check(CLI::Validator{abortFault, ""});
    addReason(*start, texts.start.reason);
    start->add_flag(
        "--wait",
        texts.start.wait,
        "show it until traffic had time to come back, then report; Ctrl-C ends the waiting alone");
    start->add_flag("--force", texts.start.force, "even on the last enabled route of the model");
    start->callback([&verb, &texts] { verb = startOf(texts); });
}

} // namespace

void addDrills(CLI::App& app, Verb& verb, DrillTexts& texts)
{
    CLI::App* group = app.add_subcommand(
        "drill", "failures on purpose, bounded in time (start, stop, list, report)");
    group->require_subcommand(1);
    addStart(*group, verb, texts);

    CLI::App* stop = group->add_subcommand("stop", "end a drill now");
    stop->add_option("id", texts.stop.id, "the drill's id")->required()->type_name("ID");
    addReason(*stop, texts.stop.reason);
    stop->callback([&verb, &texts] { verb = texts.stop; });

    CLI::App* list = group->add_subcommand("list", "all drills, the newest first");
    list->add_option("--limit", texts.list.limit, "rows, 50 by default")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    list->callback([&verb, &texts] { verb = texts.list; });

    CLI::App* report =
        group->add_subcommand("report", "what moved and what users saw: before, during, after");
    report->add_option("id", texts.report.id, "the drill's id")->required()->type_name("ID");
    report->callback([&verb, &texts] { verb = texts.report; });
}

} // namespace weir::ctl
