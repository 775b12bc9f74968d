// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/script.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>

// Readers of the values that many keys have in common: each sets one member of the script.
namespace weir::fake {

using Json = nlohmann::json;

[[nodiscard]] inline tl::unexpected<Error> wrongValue(std::string detail)
{
    return fail("bad_script", "", std::move(detail));
}

/// A number, or {"median": M, "sigma": S}.
[[nodiscard]] Result<Spread> spreadFrom(const Json& value);

template <auto Member>
Status<> readNumber(const Json& value, Script& script)
{
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
        return wrongValue("must be a number of 0 or more");
    script.*Member = value.get<double>();
    return {};
}

template <auto Member>
Status<> readShare(const Json& value, Script& script)
{
    if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1)
        return wrongValue("must be a number from 0 to 1");
    script.*Member = value.get<double>();
    return {};
}

template <auto Member>
Status<> readCount(const Json& value, Script& script)
{
    if (!value.is_number_unsigned()) return wrongValue("must be a whole number of 0 or more");
    script.*Member = value.get<std::uint64_t>();
    return {};
}

template <auto Member>
Status<> readFlag(const Json& value, Script& script)
{
    if (!value.is_boolean()) return wrongValue("must be true or false");
    script.*Member = value.get<bool>();
    return {};
}

template <auto Member>
Status<> readText(const Json& value, Script& script)
{
    if (!value.is_string()) return wrongValue("must be a string");
    script.*Member = value.get<std::string>();
    return {};
}

template <auto Member>
Status<> readTexts(const Json& value, Script& script)
{
    if (!value.is_array()) return wrongValue("must be an array of strings");
    (script.*Member).clear();
    for (const Json& each : value) {
        if (!each.is_string()) return wrongValue("must be an array of strings");
        (script.*Member).push_back(each.get<std::string>());
    }
    return {};
}

template <auto Member>
Status<> readSpread(const Json& value, Script& script)
{
    const auto spread = spreadFrom(value);
    if (!spread) return tl::unexpected<Error>(spread.error());
    script.*Member = *spread;
    return {};
}

template <class Enum>
struct Word
{
    std::string_view word;
    Enum value;
};

template <auto Member, const auto& Words>
Status<> readWord(const Json& value, Script& script)
{
    std::string known;
    for (const auto& each : Words) {
        if (value.is_string() && value.get_ref<const std::string&>() == each.word) {
            script.*Member = each.value;
            return {};
        }
        known += (known.empty() ? "" : ", ") + std::string(each.word);
    }
    return wrongValue("must be one of " + known);
}

} // namespace weir::fake
