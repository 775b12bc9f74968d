// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/config/parts.h"
#include "agent/config/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::config {
namespace {

constexpr std::array<std::string_view, 9> kCapabilities{
    "stream",
    "tools",
    "json_schema",
    "images",
    "embeddings",
    "responses",
    "reasoning",
    "cache_control",
    "prefill"};

/// Decision masks have one bit a route.
constexpr std::size_t kMostRoutes = 64;

template <class Map>
std::vector<std::string_view> namesOf(const Map& map)
{
    std::vector<std::string_view> names;
    for (const auto& [name, value] : map)
        names.push_back(name);
    return names;
}

std::optional<std::int64_t> readPrice(Section& section, std::string_view key)
{
    const std::optional<double> usd = section.number(key, 0.0, kMaxUsdPerMillion);
    if (!usd) return std::nullopt;
    const std::optional<std::int64_t> pico = picoPerToken(*usd);
    if (pico) return pico;
    section.fault(
        key,
        lineOf(*section.find(key)),
        "must have at most six decimals, not " + decimal(*usd) +
            ": prices are US dollars per million tokens and are counted exactly");
    return std::nullopt;
}

std::optional<Price> readPrices(Section section)
{
    if (!section.exists()) return std::nullopt;
    const std::optional<std::int64_t> input = readPrice(section, "input");
    const std::optional<std::int64_t> output = readPrice(section, "output");
    for (const std::string_view key : {"input", "output"}) {
        if (!section.table()->contains(key)) {
            section.fault(
                key, "is missing: write US dollars per million tokens, 0 where it is free");
        }
    }
    Price price;
    price.input = input.value_or(0);
    price.output = output.value_or(0);
    price.cachedInput = readPrice(section, "cached_input").value_or(price.input);
    price.cacheWrite = readPrice(section, "cache_write").value_or(price.input);
    section.reportUnknownKeys();
    return price;
}

void readCapabilities(Section& section, RouteConfig& route, const ProviderConfig* provider)
{
    const auto capabilities = section.texts("capabilities");
    if (!capabilities) {
        route.capabilities = {"stream", "tools"};
        return;
    }
    for (const Located& word : *capabilities) {
        if (std::find(kCapabilities.begin(), kCapabilities.end(), word.text) ==
            kCapabilities.end()) {
            section.fault(
                "capabilities",
                word.line,
                "unknown capability " + quoted(word.text) +
                    ": known are stream, tools, json_schema, images, embeddings, responses, "
                    "reasoning, cache_control, prefill");
        }
        const bool openAiOnly = word.text == "embeddings" || word.text == "responses";
        if (openAiOnly && provider != nullptr && provider->protocol == Protocol::Anthropic) {
            section.fault(
                "capabilities",
                word.line,
                quoted(word.text) + " needs a provider whose protocol is openai");
        }
        route.capabilities.push_back(word.text);
    }
}

void readRouteProvider(Section& section, RouteConfig& route, const Providers& providers)
{
    const std::optional<Located> name = section.text("provider");
    if (!name) {
        if (!section.table()->contains("provider")) {
            section.fault("provider", "is missing: name one of the [provider.…] sections");
        }
        return;
    }
    route.provider = name->text;
    if (providers.contains(name->text)) return;
    section.fault(
        "provider",
        name->line,
        "unknown provider " + quoted(name->text) + suggestion(name->text, namesOf(providers)));
}

std::string readName(Section& section, std::string_view key, NameKind kind)
{
    const std::optional<Located> value = section.text(key);
    if (!value) return {};
    if (const auto fault = faultOfName(value->text, kind)) section.fault(key, value->line, *fault);
    return value->text;
}

Quota readQuota(Section section)
{
    Quota quota;
    if (!section.exists()) return quota;
    if (const auto rps = section.number("rps", 0.001, 1'000'000.0)) {
        quota.milliRps = std::llround(*rps * 1000.0);
    }
    quota.tokensPerMinute = section.integer("tokens_per_minute", 0, {1, 1'000'000'000'000});
    if (!quota.known()) {
        section.fault("", "says nothing: write rps, tokens_per_minute or both");
    }
    section.reportUnknownKeys();
    return quota;
}

Capacity readCapacity(Section& section)
{
    Capacity capacity;
    capacity.inFlightMax = static_cast<int>(section.integer("max_in_flight", 0, {1, 100'000}));
    capacity.queueMax = static_cast<int>(section.integer("max_queue", 0, {0, 100'000}));
    const toml::node* queue = section.find("max_queue");
    if (queue != nullptr && capacity.inFlightMax == 0) {
        section.fault(
            "max_queue",
            lineOf(*queue),
            "needs max_in_flight: nobody waits where everything may run at once");
    }
    return capacity;
}

RouteConfig readRoute(Section& section, const Providers& providers)
{
    RouteConfig route;
    readRouteProvider(section, route, providers);
    if (!section.table()->contains("upstream_model")) {
        section.fault(
            "upstream_model", "is missing: write the model's name as the provider calls it");
    }
    route.upstreamModel = readName(section, "upstream_model", NameKind::Wide);
    if (section.find("region") != nullptr) {
        route.region = readName(section, "region", NameKind::Plain);
    }
    route.price = readPrices(section.child("price"));
    constexpr std::int64_t kMostTokens = 1'000'000'000;
    route.contextTokens = section.integer("context_tokens", 0, {1, kMostTokens});
    route.maxOutputTokens = section.integer("max_output_tokens", 0, {1, kMostTokens});
    const auto provider = providers.find(route.provider);
    readCapabilities(section, route, provider == providers.end() ? nullptr : &provider->second);
    for (const Located& term : section.texts("terms").value_or(std::vector<Located>{})) {
        if (const auto fault = faultOfName(term.text, NameKind::Plain)) {
            section.fault("terms", term.line, *fault);
        }
        route.terms.push_back(term.text);
    }
    route.quota = readQuota(section.child("quota"));
    route.capacity = readCapacity(section);
    if (const auto file = section.text("tokenizer")) route.tokenizer = file->text;
    section.reportUnknownKeys();
    return route;
}

/// [model.glm-5.2] makes a model "glm-5" that holds nothing but a table "2". That is reported as
/// the unknown key it is, so that the missing route need not be.
bool isCutAtADot(const toml::table& model)
{
    return !model.empty() && std::all_of(model.begin(), model.end(), [](const auto& entry) {
        return entry.second.is_table();
    });
}

void reportNoRoute(Section& section, const toml::node* node, const std::string& header)
{
    if (node == nullptr && isCutAtADot(*section.table())) return;
    const bool isSingle = node != nullptr && node->is_table();
    section.fault(
        "route",
        node == nullptr ? section.line() : lineOf(*node),
        isSingle ? "must be written with two brackets: " + header
                 : "is missing: a model needs at least one " + header);
}

void readRoutes(Section& section, ModelConfig& model, const Providers& providers, Faults& faults)
{
    const toml::node* node = section.find("route");
    const std::string header = "[[" + section.keyPath("route") + "]]";
    const toml::array* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr || array->empty()) return reportNoRoute(section, node, header);
    if (array->size() > kMostRoutes) {
        section.fault("route", lineOf(*node), "a model has at most 64 routes");
    }
    for (std::size_t i = 0; i < array->size(); ++i) {
        const toml::node& element = (*array)[i];
        const std::string path = section.keyPath("route") + '[' + std::to_string(i + 1) + ']';
        if (!element.is_table()) {
            faults.add(
                lineOf(element),
                path,
                "must be a table, not " + shown(element) + ": write " + header);
            continue;
        }
        Section one{element.as_table(), lineOf(element), path, faults};
        RouteConfig route = readRoute(one, providers);
        const auto same = [&](const RouteConfig& other) {
            return other.provider == route.provider;
        };
        if (!route.provider.empty() &&
            std::any_of(model.routes.begin(), model.routes.end(), same)) {
            one.fault(
                "provider",
                lineOf(*one.find("provider")),
                quoted(route.provider) +
                    " has a route of this model already: a model has one route "
                    "a provider, so give the second one its own [provider.NAME]");
            continue;
        }
        model.routes.push_back(std::move(route));
    }
}

void readFixedOrder(Section& section, ModelConfig& model)
{
    const auto order = section.texts("fixed_order");
    std::vector<std::string_view> known;
    for (const RouteConfig& route : model.routes) {
        if (!route.provider.empty()) known.push_back(route.provider);
    }
    if (!order) {
        model.fixedOrder.assign(known.begin(), known.end());
        return;
    }
    for (const Located& name : *order) {
        model.fixedOrder.push_back(name.text);
        if (std::find(known.begin(), known.end(), name.text) != known.end()) continue;
        section.fault(
            "fixed_order",
            name.line,
            quoted(name.text) + " has no route of this model" + suggestion(name.text, known));
    }
    for (const std::string_view name : known) {
        const auto& given = model.fixedOrder;
        if (std::find(given.begin(), given.end(), name) != given.end()) continue;
        section.fault(
            "fixed_order",
            lineOf(*section.find("fixed_order")),
            "leaves out " + quoted(name) + ": name every route's provider once");
    }
}

ModelConfig
readModel(Section& section, std::string_view name, const Providers& providers, Faults& faults)
{
    ModelConfig model;
    model.name = name;
    if (const auto fault = faultOfName(name, NameKind::Wide)) section.fault("", *fault);
    if (name == "auto") {
        section.fault("", "\"auto\" is the word for a task's ladder: give the model another name");
    }
    if (name.ends_with(":floor") || name.ends_with(":nitro")) {
        section.fault("", "a name must not end with :floor or :nitro, which ask for an order");
    }
    readRoutes(section, model, providers, faults);
    readFixedOrder(section, model);
    section.reportUnknownKeys();
    return model;
}

} // namespace

Models readModels(Section section, const Providers& providers, Faults& faults)
{
    Models models;
    for (const std::string_view name : keysOf(section.table())) {
        Section one = section.child(name);
        models.emplace(
            name, one.exists() ? readModel(one, name, providers, faults) : ModelConfig{});
    }
    if (models.empty()) {
        section.fault("", "no model is configured: add a section [model.\"NAME\"] with its routes");
    }
    return models;
}

} // namespace weir::config
