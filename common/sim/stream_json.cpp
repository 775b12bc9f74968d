// SPDX-License-Identifier: Apache-2.0
#include "common/sim/stream_json.h"

#include "common/base/text.h"
#include "common/routing/ladder.h"
#include "common/sim/route_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::sim {
namespace {

using Need = Fields::Need;
using Json = Fields::Json;

constexpr NumberRange kShare{0.0, 1.0};

/// [4, 6], or 5.
void readCalls(Reading& reading, const Fields::Item& item, TrafficStream& stream)
{
    if (reading.failed()) return;
    const Json& json = *item.json;
    const bool isPair = json.is_array() && json.size() == 2;
    const Json& low = isPair ? json[0] : json;
    const Json& high = isPair ? json[1] : json;
    constexpr std::uint64_t kMost = 10'000;
    const auto fits = [](const Json& one) {
        return one.is_number_unsigned() && one.get<std::uint64_t>() >= 1 &&
               one.get<std::uint64_t>() <= kMost;
    };
    if (!fits(low) || !fits(high) || low.get<std::uint64_t>() > high.get<std::uint64_t>()) {
        reading.refuse(
            item.path, "must be [least, most]: two whole numbers from 1 to 10000 in rising order");
        return;
    }
    stream.callsMin = low.get<std::uint32_t>();
    stream.callsMax = high.get<std::uint32_t>();
}

void readRate(Reading& reading, const Fields::Item& item, TrafficStream& stream)
{
    Fields fields(reading, item);
    fields.number("base", {0.0, 1e5}, stream.tasksPerS, Need::Needed);
    fields.number("diurnal", {0.0, 1.0}, stream.diurnal, Need::Optional);
    fields.done();
}

std::optional<std::size_t> findModel(const Scenario& scenario, std::string_view name)
{
    const auto found = std::ranges::find(scenario.models, name, &ScenarioModel::name);
    if (found == scenario.models.end()) return std::nullopt;
    return static_cast<std::size_t>(found - scenario.models.begin());
}

/// Where the stream may go, best first, as an agent would find it.
void readLadder(Reading& reading, Fields& fields, const Scenario& scenario, TrafficStream& stream)
{
    TaskConfig task;
    task.models = readNames(reading, fields, "ladder");
    std::string model;
    fields.text("model", model, task.models.empty() ? Need::Needed : Need::Optional);
    fields.text("answer", task.answerModel, Need::Optional);
    if (const auto level = fields.word("lowest_level", {"L0", "L1", "L2", "L3", "L4"}))
        task.lowestLevel = static_cast<int>(*level);
    if (reading.failed()) return;
    const auto mustKnow = [&](std::string_view key, const std::string& name) {
        if (findModel(scenario, name)) return;
        reading.refuse(fields.pathOf(key), "is no model of this file: " + cleaned(name, 60));
    };
    for (const std::string& name : task.models)
        mustKnow("ladder", name);
    if (!model.empty()) mustKnow("model", model);
    if (!task.answerModel.empty()) mustKnow("answer", task.answerModel);
    if (task.models.empty()) task.models.push_back(model);
    if (!model.empty() && std::ranges::count(task.models, model) == 0)
        reading.refuse(fields.pathOf("model"), "must stand on the ladder, or be left out");
    if (std::ranges::count(task.models, task.answerModel) > 0)
        reading.refuse(fields.pathOf("answer"), "must not stand on the ladder, it is below it");
    if (reading.failed()) return;
    const auto isKnown = [&scenario](std::string_view name) {
        return findModel(scenario, name).has_value();
    };
    for (const routing::LadderStep& step : routing::ladderOf(task, {model, {}, {}}, isKnown))
        stream.ladder.push_back({*findModel(scenario, step.model), step.level});
}

/// What a request demands of its routes; what no route of the file has is a slip of the pen.
void readDemands(Reading& reading, Fields& fields, const Scenario& scenario, TrafficStream& stream)
{
    stream.regions = readNames(reading, fields, "regions");
    stream.terms = readNames(reading, fields, "terms");
    const auto someRoute = [&scenario](const auto& has) {
        return std::ranges::any_of(scenario.models, [&has](const ScenarioModel& model) {
            return std::ranges::any_of(model.routes, has);
        });
    };
    for (const std::string& region : stream.regions) {
        if (!someRoute([&region](const ScenarioRoute& each) { return each.region == region; }))
            reading.refuse(fields.pathOf("regions"), "no route has the region " + region);
    }
    for (const std::string& term : stream.terms) {
        if (!someRoute([&term](const ScenarioRoute& each) {
                return std::ranges::count(each.terms, term) > 0;
            }))
            reading.refuse(fields.pathOf("terms"), "no route has the term " + term);
    }
    stream.batch = fields.word("priority", {"interactive", "batch"}) == 1U;
}

} // namespace

TrafficStream readStream(Reading& reading, const Fields::Item& item, const Scenario& scenario)
{
    TrafficStream stream;
    stream.taskType = "default";
    Fields fields(reading, item);
    fields.text("task_type", stream.taskType, Need::Optional);
    readLadder(reading, fields, scenario, stream);
    readDemands(reading, fields, scenario, stream);
    if (const auto rate = fields.item("tasks_per_s", Need::Needed))
        readRate(reading, *rate, stream);
    if (const auto calls = fields.item("calls_per_task", Need::Optional))
        readCalls(reading, *calls, stream);
    if (const auto tokens = fields.item("input_tokens", Need::Needed))
        readLogNormal(reading, *tokens, RouteText::Whole, stream.inputTokens);
    if (const auto tokens = fields.item("output_tokens", Need::Needed))
        readLogNormal(reading, *tokens, RouteText::Whole, stream.outputTokens);
    fields.number("gap_s", {0.0, 86400.0}, stream.gapS, Need::Optional);
    fields.number("single_shot_share", kShare, stream.singleShotShare, Need::Optional);
    fields.number("length_share", kShare, stream.lengthShare, Need::Optional);
    fields.number("abort_share", kShare, stream.abortShare, Need::Optional);
    fields.done();
    if (reading.failed()) return stream;
    if (stream.taskType.empty()) reading.refuse(fields.pathOf("task_type"), "must not be empty");
    return stream;
}

} // namespace weir::sim
