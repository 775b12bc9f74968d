// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/wishes.h"

#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace weir::protocol {
namespace {

using nlohmann::json;
using Read = Result<void, ApiError>;

/// Above this a limit says nothing: 1000 USD a token.
constexpr double kUsdMax = 1e9;
constexpr double kMicroPerUsd = 1e6;

tl::unexpected<ApiError> refuse(const std::string& field, const std::string& expected)
{
    ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.param = field;
    error.message = "Invalid value for '" + field + "': expected " + expected + ".";
    return tl::unexpected(std::move(error));
}

tl::unexpected<ApiError> unknown(const std::string& field)
{
    ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.param = field;
    error.message = "Unknown field '" + field + "': Weir does not route by it.";
    return tl::unexpected(std::move(error));
}

Read readNames(const std::string& field, const json& value, std::vector<std::string>& into)
{
    into.clear();
    if (!value.is_array() || value.size() > kWishListMax) {
        return refuse(field, "an array of at most 64 names");
    }
    for (const json& name : value) {
        if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
            return refuse(field, "an array of names");
        }
        into.push_back(name.get<std::string>());
    }
    return {};
}

Read readBool(const std::string& field, const json& value, bool& into)
{
    if (!value.is_boolean()) return refuse(field, "a boolean");
    into = value.get<bool>();
    return {};
}

/// A number, or one in quotes, as OpenRouter's SDKs write prices.
std::optional<double> numberIn(const json& value)
{
    double number = -1;
    if (value.is_number()) {
        number = value.get<double>();
    } else if (value.is_string()) {
        const std::string& text = value.get_ref<const std::string&>();
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc{} || at != end) return std::nullopt;
    }
    if (!std::isfinite(number) || number < 0) return std::nullopt;
    return number;
}

Read readSort(const std::string& field, const json& value, SortWish& into)
{
    const json* word = &value;
    if (value.is_object()) {
        const auto by = value.find("by");
        if (by == value.end()) return refuse(field + ".by", "price, throughput or latency");
        // `partition` orders endpoints of several models; one model is served at a time here.
        for (const auto& [name, member] : value.items()) {
            if (name != "by" && name != "partition") return unknown(field + '.' + cleaned(name));
        }
        word = &*by;
    }
    using Known = std::pair<std::string_view, SortWish>;
    for (const auto& [name, sort] :
         {Known{"price", SortWish::Price},
          Known{"throughput", SortWish::Throughput},
          Known{"latency", SortWish::Latency}}) {
        if (!word->is_string() || word->get_ref<const std::string&>() != name) continue;
        into = sort;
        return {};
    }
    return refuse(field, "price, throughput or latency");
}

Read readPrices(const std::string& field, const json& value, RoutingWishes& into)
{
    if (!value.is_object()) return refuse(field, "an object of prices");
    for (const auto& [name, member] : value.items()) {
        const std::string path = field + '.' + cleaned(name);
        if (member.is_null()) continue;
        const std::optional<double> usd = numberIn(member);
        if (!usd || *usd > kUsdMax) return refuse(path, "a price in USD, 0 or more");
        const auto micro = static_cast<std::int64_t>(std::floor(*usd * kMicroPerUsd + 0.5));
        if (name == "prompt") {
            into.maxInputPrice = micro;
        } else if (name == "completion") {
            into.maxOutputPrice = micro;
        } else if (name != "request" && name != "image" && name != "audio") {
            // No route has a price for those, so that such a limit is never exceeded.
            return unknown(path);
        }
    }
    return {};
}

Read readPreferred(const std::string& field, const json& value, std::optional<double>& into)
{
    if (!value.is_object()) {
        into = numberIn(value);
        return into ? Read{} : refuse(field, "a number, 0 or more, or percentiles");
    }
    constexpr std::array<std::string_view, 4> kPercentiles = {"p50", "p75", "p90", "p99"};
    for (const auto& [name, member] : value.items()) {
        const std::string path = field + '.' + cleaned(name);
        if (std::find(kPercentiles.begin(), kPercentiles.end(), name) == kPercentiles.end()) {
            return unknown(path);
        }
        if (!member.is_null() && !numberIn(member)) return refuse(path, "a number, 0 or more");
    }
    for (const std::string_view name : kPercentiles) {
        const auto member = value.find(name);
        if (into || member == value.end()) continue;
        into = numberIn(*member);
    }
    return {};
}

Read readDataCollection(const std::string& field, const json& value, bool& deny)
{
    if (value != "allow" && value != "deny") return refuse(field, "\"allow\" or \"deny\"");
    deny = value == "deny";
    return {};
}

Read readField(const std::string& name, const json& value, RoutingWishes& into)
{
    const std::string field = "provider." + cleaned(name);
    if (name == "order") return readNames(field, value, into.order);
    if (name == "only") return readNames(field, value, into.only);
    if (name == "ignore") return readNames(field, value, into.ignore);
    if (name == "allow_fallbacks") return readBool(field, value, into.allowFallbacks);
    if (name == "require_parameters") return readBool(field, value, into.requireParameters);
    if (name == "data_collection") return readDataCollection(field, value, into.denyDataCollection);
    if (name == "zdr") return readBool(field, value, into.zeroRetention);
    if (name == "sort") return readSort(field, value, into.sort);
    if (name == "max_price") return readPrices(field, value, into);
    if (name == "preferred_min_throughput") return readPreferred(field, value, into.minTokensPerS);
    if (name == "preferred_max_latency") return readPreferred(field, value, into.maxLatencyS);
    return unknown(field);
}

/// Null where the text is too long or broken.
std::optional<json> parsed(std::string_view text)
{
    if (text.size() > kWishesBytesMax) return std::nullopt;
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded()) return std::nullopt;
    return value;
}

} // namespace

Result<void, ApiError> readProviderWishes(std::string_view text, RoutingWishes& into)
{
    const std::optional<json> value = parsed(text);
    if (!value || (!value->is_object() && !value->is_null())) {
        return refuse("provider", "an object of at most 64 KiB");
    }
    for (const auto& [name, member] : value->items()) {
        if (member.is_null()) continue;
        if (Read read = readField(name, member, into); !read) return read;
    }
    return {};
}

Result<void, ApiError> readModelWishes(std::string_view text, RoutingWishes& into)
{
    const std::optional<json> value = parsed(text);
    if (!value) return refuse("models", "an array of at most 64 names");
    if (value->is_null()) return {};
    return readNames("models", *value, into.models);
}

} // namespace weir::protocol
