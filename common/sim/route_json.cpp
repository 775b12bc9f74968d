// SPDX-License-Identifier: Apache-2.0
#include "common/sim/route_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir::sim {
namespace {

using Need = Fields::Need;

constexpr double kRateMax = 1e6;
constexpr double kSecondsMax = 1e9;

Need needOf(RouteText text)
{
    return text == RouteText::Whole ? Need::Needed : Need::Optional;
}

void readPrice(Reading& reading, const Fields::Item& item, RouteText text, Price& price)
{
    Fields fields(reading, item);
    const NumberRange range{0.0, 1e6};
    // Dollars per million tokens are micro-dollars per token: exact to six decimals as integers.
    const auto read = [&](std::string_view key, std::int64_t& into, Need need) {
        const bool given = fields.has(key);
        double dollars = 0.0;
        fields.number(key, range, dollars, need);
        if (given) into = std::llround(dollars * 1e6);
    };
    const bool whole = text == RouteText::Whole;
    read("input", price.input, needOf(text));
    if (whole) price.cachedInput = price.cacheWrite = price.input;
    read("cached_input", price.cachedInput, Need::Optional);
    if (!whole && fields.has("input") && !fields.has("cache_write")) price.cacheWrite = price.input;
    read("cache_write", price.cacheWrite, Need::Optional);
    read("output", price.output, needOf(text));
    fields.done();
}

void readCache(Reading& reading, const Fields::Item& item, CacheShape& cache)
{
    Fields fields(reading, item);
    fields.number("hit_warm", {0.0, 1.0}, cache.hitWarm, Need::Optional);
    fields.number("ttl_s", {0.0, kSecondsMax}, cache.ttlS, Need::Optional);
    fields.number("shared_prefix", {0.0, 1.0}, cache.sharedPrefix, Need::Optional);
    fields.done();
}

} // namespace

void readLogNormal(
    Reading& reading, const Fields::Item& item, RouteText text, LogNormal& distribution)
{
    Fields fields(reading, item);
    fields.number("median", {1e-6, 1e9}, distribution.median, needOf(text));
    fields.number("sigma", {0.0, 5.0}, distribution.sigma, Need::Optional);
    fields.done();
}

void readRouteShape(Reading& reading, Fields& fields, RouteText text, RouteShape& shape)
{
    if (const auto item = fields.item("price", needOf(text)))
        readPrice(reading, *item, text, shape.price);
    if (const auto item = fields.item("ttft_s", needOf(text)))
        readLogNormal(reading, *item, text, shape.ttftS);
    fields.number("ttft_cached_factor", {0.0, 1.0}, shape.ttftCachedFactor, Need::Optional);
    if (const auto item = fields.item("tokens_per_s", needOf(text)))
        readLogNormal(reading, *item, text, shape.tokensPerS);
    if (const auto item = fields.item("cache", Need::Optional))
        readCache(reading, *item, shape.cache);
    fields.nullable("capacity_rps", {0.0, kRateMax}, shape.capacityRps);
    fields.nullable("quota_rps", {1e-3, kRateMax}, shape.quotaRps);
    fields.nullable("queue_rps", {1e-6, kRateMax}, shape.queueRps);
    fields.number("success", {0.0, 1.0}, shape.success, Need::Optional);
    fields.number("enabled_from_s", {0.0, kSecondsMax}, shape.enabledFromS, Need::Optional);
    if (text == RouteText::Whole) return;
    auto status = static_cast<std::uint64_t>(shape.status);
    fields.whole("status", 200, 599, status);
    if (status != 200 && status < 400) {
        reading.refuse(fields.pathOf("status"), "must be 200 or between 400 and 599");
    }
    shape.status = static_cast<int>(status);
}

} // namespace weir::sim
