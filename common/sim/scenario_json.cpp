// SPDX-License-Identifier: Apache-2.0
#include "common/sim/scenario_json.h"

#include "common/base/text.h"
#include "common/base/time.h"
#include "common/sim/route_json.h"
#include "common/sim/stream_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::sim {
namespace {

using Need = Fields::Need;
using Json = Fields::Json;

Micros toMicros(double seconds)
{
    return std::llround(seconds * 1e6);
}

void readSettings(Reading& reading, const Fields::Item& item, RoutingSettings& settings)
{
    Fields fields(reading, item);
    fields.text("objective", settings.objective, Need::Optional);
    for (const SettingSpec& spec : settingSpecs()) {
        double& value = settings.numbers.find(spec.key)->second;
        fields.number(spec.key, {spec.minimum, spec.maximum}, value, Need::Optional);
    }
    fields.done();
    if (reading.failed()) return;
    if (const auto valid = validate(settings); !valid) {
        reading.refuse(fields.pathOf(valid.error().where), valid.error().detail);
    }
}

const ScenarioRoute* findRoute(const ScenarioModel& model, std::string_view provider)
{
    const auto found = std::ranges::find(model.routes, provider, &ScenarioRoute::provider);
    return found == model.routes.end() ? nullptr : &*found;
}

void readFixedOrder(Reading& reading, Fields& fields, ScenarioModel& model)
{
    for (const Fields::Item& item : fields.list("fixed_order", Need::Optional)) {
        if (reading.failed()) return;
        const std::string name = item.json->is_string() ? item.json->get<std::string>() : "";
        const ScenarioRoute* route = findRoute(model, name);
        if (route == nullptr) {
            reading.refuse(item.path, "is no provider of this model's routes");
            return;
        }
        const auto index = static_cast<std::size_t>(route - model.routes.data());
        if (std::ranges::find(model.fixedOrder, index) != model.fixedOrder.end()) {
            reading.refuse(item.path, "stands in the order twice");
            return;
        }
        model.fixedOrder.push_back(index);
    }
    // Routes that the order does not name come last, as listed.
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        if (std::ranges::find(model.fixedOrder, i) == model.fixedOrder.end())
            model.fixedOrder.push_back(i);
    }
}

ScenarioModel readModel(Reading& reading, const Fields::Item& item)
{
    ScenarioModel model;
    Fields fields(reading, item);
    fields.text("name", model.name, Need::Needed);
    const std::vector<Fields::Item> routes = fields.list("routes", Need::Needed);
    for (const Fields::Item& each : routes) {
        ScenarioRoute route;
        Fields routeFields(reading, each);
        routeFields.text("provider", route.provider, Need::Needed);
        routeFields.text("region", route.region, Need::Optional);
        route.terms = readNames(reading, routeFields, "terms");
        readRouteShape(reading, routeFields, RouteText::Whole, route.shape);
        routeFields.done();
        if (reading.failed()) return model;
        if (findRoute(model, route.provider) != nullptr) {
            reading.refuse(routeFields.pathOf("provider"), "has a route of this model already");
        }
        model.routes.push_back(std::move(route));
    }
    constexpr std::size_t kRoutesMost = 64;
    if (model.routes.empty() || model.routes.size() > kRoutesMost) {
        reading.refuse(fields.pathOf("routes"), "must hold 1 to 64 routes");
    }
    readFixedOrder(reading, fields, model);
    fields.done();
    return model;
}

/// The shapes that the events before left behind: what the next one changes.
class Shapes final
{
public:
    explicit Shapes(const Scenario& scenario)
    {
        for (const ScenarioModel& model : scenario.models) {
            m_shapes.emplace_back();
            for (const ScenarioRoute& route : model.routes)
                m_shapes.back().push_back(route.shape);
        }
    }

    RouteShape& at(RouteRef ref) { return m_shapes[ref.model][ref.route]; }

private:
    std::vector<std::vector<RouteShape>> m_shapes;
};

std::vector<RouteRef> routesOf(const Scenario& scenario, std::string_view provider)
{
    std::vector<RouteRef> routes;
    for (std::size_t m = 0; m < scenario.models.size(); ++m) {
        const ScenarioRoute* route = findRoute(scenario.models[m], provider);
        if (route == nullptr) continue;
        routes.push_back({m, static_cast<std::size_t>(route - scenario.models[m].routes.data())});
    }
    return routes;
}

void readProviderEvent(
    Reading& reading,
    Fields& fields,
    const Scenario& scenario,
    Shapes& shapes,
    ScenarioEvent& event)
{
    std::string provider;
    fields.text("provider", provider, Need::Needed);
    const std::vector<RouteRef> routes = routesOf(scenario, provider);
    if (routes.empty()) {
        reading.refuse(fields.pathOf("provider"), "has no route: " + cleaned(provider, 60));
    }
    if (const auto change = fields.item("set", Need::Optional)) {
        for (const RouteRef route : routes) {
            Fields set(reading, *change);
            readRouteShape(reading, set, RouteText::Change, shapes.at(route));
            set.done();
            event.changes.push_back({route, shapes.at(route)});
        }
    }
    double burst = 0.0;
    fields.number("burst_429_s", {0.0, 1e9}, burst, Need::Optional);
    event.burstFor = toMicros(burst);
    if (event.burstFor > 0) event.burst = routes;
    if (!fields.has("set") && !fields.has("burst_429_s")) {
        reading.refuse(fields.path(), "must hold set or burst_429_s for its provider");
    }
}

ScenarioEvent
readEvent(Reading& reading, const Fields::Item& item, const Scenario& scenario, Shapes& shapes)
{
    ScenarioEvent event;
    Fields fields(reading, item);
    double at = 0.0;
    fields.number("at_s", {0.0, 1e9}, at, Need::Needed);
    event.at = toMicros(at);
    const auto isGiven = [&fields](std::string_view key) { return fields.has(key) ? 1 : 0; };
    const int kinds =
        isGiven("provider") + isGiven("agent_restart") + isGiven("redis") + isGiven("summary_job");
    if (kinds != 1) {
        reading.refuse(
            item.path, "must hold one of provider, agent_restart, redis and summary_job");
    }
    if (fields.has("provider")) {
        readProviderEvent(reading, fields, scenario, shapes, event);
    } else if (fields.has("agent_restart")) {
        std::uint64_t agent = 0;
        fields.whole("agent_restart", 0, scenario.agents - 1, agent);
        event.agentRestart = static_cast<std::size_t>(agent);
    } else if (const auto redis = fields.word("redis", {"down", "up", "empty"})) {
        event.redis = static_cast<RedisChange>(*redis);
    } else if (const auto job = fields.word("summary_job", {"stopped", "running"})) {
        event.summaryJobRuns = *job == 1;
    }
    fields.done();
    return event;
}

void readEvents(Reading& reading, Fields& fields, Scenario& scenario)
{
    std::vector<Fields::Item> items = fields.list("events", Need::Optional);
    const auto timeOf = [](const Fields::Item& item) {
        const bool has = item.json->is_object() && item.json->contains("at_s") &&
                         item.json->at("at_s").is_number();
        return has ? item.json->at("at_s").get<double>() : 0.0;
    };
    // Each change builds on the one before it in time, however the file lists them.
    std::ranges::stable_sort(items, {}, timeOf);
    Shapes shapes(scenario);
    for (const Fields::Item& item : items) {
        if (reading.failed()) return;
        scenario.events.push_back(readEvent(reading, item, scenario, shapes));
    }
}

/// "without": rules that are off in this run, to study what each is worth:
///  - "rate_floor": a burst of errors may silence a route for good;
///  - "cache_neutral": costs and times are compared as measured, each route with its own cache;
///  - "latched_windows": a figure is of the last half hour where that is a full sample, else of
///    two days;
///  - "keeps_history": gates forget at every whole hour from the start on.
void readWithout(Reading& reading, Fields& fields, GuardingRules& rules)
{
    struct Switch
    {
        std::string_view word;
        bool GuardingRules::*rule;
    };

    constexpr std::array<Switch, 4> kSwitches{
        {{"rate_floor", &GuardingRules::rateFloor},
         {"cache_neutral", &GuardingRules::cacheNeutral},
         {"latched_windows", &GuardingRules::latchedWindows},
         {"keeps_history", &GuardingRules::keepsHistory}}};
    for (const Fields::Item& item : fields.list("without", Need::Optional)) {
        const std::string word = item.json->is_string() ? item.json->get<std::string>() : "";
        const auto* const found = std::ranges::find(kSwitches, word, &Switch::word);
        if (found == kSwitches.end()) {
            reading.refuse(
                item.path, "must be rate_floor, cache_neutral, latched_windows or keeps_history");
            return;
        }
        rules.*found->rule = false;
    }
}

void readHead(Reading& reading, Fields& fields, Scenario& scenario)
{
    fields.text("name", scenario.name, Need::Optional);
    fields.whole("seed", 0, UINT64_MAX, scenario.seed);
    double duration = 0.0;
    fields.number("duration_s", {1.0, 1e8}, duration, Need::Needed);
    scenario.duration = toMicros(duration);
    std::uint64_t agents = scenario.agents;
    fields.whole("agents", 1, 1000, agents);
    scenario.agents = static_cast<std::uint32_t>(agents);
    if (const auto policy =
            fields.word("policy", {"adaptive", "shadow", "fixed", "round-robin", "oracle"})) {
        scenario.policy = static_cast<SimPolicy>(*policy);
    }
    if (const auto warm = fields.word("history", {"none", "warm"})) scenario.isWarm = *warm == 1;
    std::string start;
    fields.text("start", start, Need::Optional);
    if (!start.empty()) {
        const Result<UtcTime> time = parseIso(start);
        if (!time) reading.refuse("start", "must be a time such as 2026-01-01T00:00:00Z");
        if (time) scenario.startEpochMs = epochMs(*time);
    }
    if (const auto settings = fields.item("settings", Need::Optional))
        readSettings(reading, *settings, scenario.settings);
    readWithout(reading, fields, scenario.rules);
}

} // namespace

Result<Scenario> readScenario(std::string_view text, const std::string& file)
{
    Reading reading{file, std::nullopt};
    Json document;
    try {
        document = Json::parse(text);
    } catch (const Json::exception& error) {
        return fail("bad_scenario", file, "is not JSON: " + cleaned(error.what(), 300));
    }
    Scenario scenario;
    Fields fields(reading, {&document, ""});
    readHead(reading, fields, scenario);
    for (const Fields::Item& item : fields.list("models", Need::Needed)) {
        if (reading.failed()) break;
        ScenarioModel model = readModel(reading, item);
        if (std::ranges::count(scenario.models, model.name, &ScenarioModel::name) > 0)
            reading.refuse(item.path + ".name", "is the name of a model before it");
        scenario.models.push_back(std::move(model));
    }
    for (const Fields::Item& item : fields.list("traffic", Need::Needed)) {
        if (reading.failed()) break;
        scenario.traffic.push_back(readStream(reading, item, scenario));
    }
    if (scenario.models.empty()) reading.refuse("models", "must hold at least one model");
    if (scenario.traffic.empty()) reading.refuse("traffic", "must hold at least one stream");
    readEvents(reading, fields, scenario);
    fields.done();
    if (reading.fault) return tl::unexpected{*reading.fault};
    return scenario;
}

} // namespace weir::sim
