// SPDX-License-Identifier: Apache-2.0
#include "common/model/route_config_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicro = 1e6;
constexpr double kMilli = 1e3;

double usdPerMillion(std::int64_t picoPerToken)
{
    return static_cast<double>(picoPerToken) / kMicro;
}

/// 0 stands for what is not known or not limited.
Json orNull(std::int64_t value)
{
    return value == 0 ? Json(nullptr) : Json(value);
}

Json toJson(const Quota& quota)
{
    return {
        {"rps",
         quota.milliRps == 0 ? Json(nullptr) : Json(static_cast<double>(quota.milliRps) / kMilli)},
        {"tokens_per_minute", orNull(quota.tokensPerMinute)}};
}

template <class T>
void read(const Json& json, const char* key, T& target)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return;
    target = found->get<T>();
}

void readScaled(const Json& json, const char* key, double scale, std::int64_t& target)
{
    double value = 0.0;
    read(json, key, value);
    target = std::llround(value * scale);
}

} // namespace

nlohmann::ordered_json toJson(const RouteConfig& route)
{
    Json price = nullptr;
    if (route.price) {
        price = {
            {"input", usdPerMillion(route.price->input)},
            {"cached_input", usdPerMillion(route.price->cachedInput)},
            {"cache_write", usdPerMillion(route.price->cacheWrite)},
            {"output", usdPerMillion(route.price->output)}};
    }
    return {
        {"route", route.name()},
        {"provider", route.provider},
        {"upstream_model", route.upstreamModel},
        {"region", route.region},
        {"price", price},
        {"context_tokens", route.contextTokens},
        {"max_output_tokens", route.maxOutputTokens},
        {"capabilities", route.capabilities},
        {"terms", route.terms},
        {"quota", toJson(route.quota)},
        {"max_in_flight", orNull(route.capacity.inFlightMax)},
        {"max_queue", route.capacity.queueMax},
        {"tokenizer", route.tokenizer}};
}

RouteConfig routeConfigFromJson(const Json& json)
{
    RouteConfig route;
    read(json, "provider", route.provider);
    read(json, "upstream_model", route.upstreamModel);
    read(json, "region", route.region);
    if (const auto price = json.find("price"); price != json.end() && price->is_object()) {
        Price& card = route.price.emplace();
        readScaled(*price, "input", kMicro, card.input);
        readScaled(*price, "cached_input", kMicro, card.cachedInput);
        readScaled(*price, "cache_write", kMicro, card.cacheWrite);
        readScaled(*price, "output", kMicro, card.output);
    }
    read(json, "context_tokens", route.contextTokens);
    read(json, "max_output_tokens", route.maxOutputTokens);
    read(json, "capabilities", route.capabilities);
    read(json, "terms", route.terms);
    if (const auto quota = json.find("quota"); quota != json.end() && quota->is_object()) {
        readScaled(*quota, "rps", kMilli, route.quota.milliRps);
        read(*quota, "tokens_per_minute", route.quota.tokensPerMinute);
    }
    read(json, "max_in_flight", route.capacity.inFlightMax);
    read(json, "max_queue", route.capacity.queueMax);
    read(json, "tokenizer", route.tokenizer);
    return route;
}

} // namespace weir
