// SPDX-License-Identifier: Apache-2.0
#include "common/quality/schema_values.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::quality {
namespace {

using Json = nlohmann::json;

bool isWhole(const Json& value)
{
    if (value.is_number_integer()) return true;
    return value.is_number_float() && std::floor(value.get<double>()) == value.get<double>();
}

bool isOfOneType(const std::string& type, const Json& value)
{
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return isWhole(value);
    return value.is_number();
}

} // namespace

bool isOfType(const Json& types, const Json& value)
{
    if (types.is_string()) return isOfOneType(types.get_ref<const std::string&>(), value);
    return std::any_of(types.begin(), types.end(), [&value](const Json& type) {
        return isOfOneType(type.get_ref<const std::string&>(), value);
    });
}

bool isOneOf(const Json& list, const Json& value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

bool isMultipleOf(const Json& step, const Json& value)
{
    if (!value.is_number()) return true;
    if (value.is_number_integer() && step.is_number_integer()) {
        return value.is_number_unsigned()
                   ? value.get<std::uint64_t>() % step.get<std::uint64_t>() == 0
                   : value.get<std::int64_t>() % step.get<std::int64_t>() == 0;
    }
    // 0.07 is a multiple of 0.01, although its quotient in doubles is not whole.
    constexpr double kTolerance = 1e-9;
    const double quotient = value.get<double>() / step.get<double>();
    return std::isfinite(quotient) && std::abs(quotient - std::round(quotient)) <=
                                          kTolerance * std::max(1.0, std::abs(quotient));
}

bool areUnique(const Json& list)
{
    std::vector<const Json*> sorted;
    sorted.reserve(list.size());
    for (const Json& each : list)
        sorted.push_back(&each);
    std::sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return *a < *b; });
    const auto same = [](auto a, auto b) { return *a == *b; };
    return std::adjacent_find(sorted.begin(), sorted.end(), same) == sorted.end();
}

bool hasAll(const Json& names, const Json& object)
{
    return std::all_of(names.begin(), names.end(), [&object](const Json& name) {
        return object.contains(name.get_ref<const std::string&>());
    });
}

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::size_t count(const Json& number)
{
    return static_cast<std::size_t>(number.get<double>());
}

} // namespace weir::quality
