// SPDX-License-Identifier: Apache-2.0
#include "common/sim/fields_json.h"

#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace weir::sim {
namespace {

std::string plain(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.15g", value);
    return text.data();
}

} // namespace

void Reading::refuse(const std::string& path, const std::string& detail)
{
    if (fault) return;
    fault = Error{"bad_scenario", path.empty() ? file : file + ": " + path, detail};
}

std::string kindOf(const Fields::Item& item)
{
    switch (item.json->type()) {
    case nlohmann::json::value_t::null:
        return "null";
    case nlohmann::json::value_t::boolean:
        return "true or false";
    case nlohmann::json::value_t::string:
        return "text";
    case nlohmann::json::value_t::array:
        return "a list";
    case nlohmann::json::value_t::object:
        return "an object";
    default:
        return "a number";
    }
}

void readNumber(Reading& reading, const Fields::Item& item, NumberRange range, double& into)
{
    if (reading.failed()) return;
    if (!item.json->is_number()) {
        reading.refuse(item.path, "must be a number, not " + kindOf(item));
        return;
    }
    const auto value = item.json->get<double>();
    if (!(value >= range.minimum && value <= range.maximum)) {
        reading.refuse(
            item.path,
            "must be between " + plain(range.minimum) + " and " + plain(range.maximum) + ", not " +
                plain(value));
        return;
    }
    into = value;
}

std::vector<std::string> readNames(Reading& reading, Fields& fields, std::string_view key)
{
    std::vector<std::string> names;
    for (const Fields::Item& item : fields.list(key, Fields::Need::Optional)) {
        const std::string name = item.json->is_string() ? item.json->get<std::string>() : "";
        constexpr std::size_t kLongest = 200;
        if (name.empty() || cleaned(name, kLongest) != name)
            reading.refuse(item.path, "must be plain text of 1 to 200 characters");
        if (std::ranges::count(names, name) > 0) reading.refuse(item.path, "stands there twice");
        names.push_back(name);
    }
    return names;
}

Fields::Fields(Reading& reading, const Item& item)
    : m_reading(reading)
    , m_item(item)
{
    if (reading.failed() || item.json->is_object()) return;
    reading.refuse(item.path, "must be an object, not " + kindOf(item));
}

std::string Fields::pathOf(std::string_view key) const
{
    return m_item.path.empty() ? std::string{key} : m_item.path + '.' + std::string{key};
}

bool Fields::has(std::string_view key) const
{
    return m_item.json->is_object() && m_item.json->contains(std::string{key});
}

const Fields::Json* Fields::find(std::string_view key, Need need)
{
    m_known.emplace_back(key);
    if (m_reading.failed()) return nullptr;
    const auto found = m_item.json->find(std::string{key});
    if (found != m_item.json->end()) return &*found;
    if (need == Need::Needed) m_reading.refuse(pathOf(key), "is missing");
    return nullptr;
}

void Fields::number(std::string_view key, NumberRange range, double& into, Need need)
{
    const Json* json = find(key, need);
    if (json != nullptr) readNumber(m_reading, {json, pathOf(key)}, range, into);
}

void Fields::nullable(std::string_view key, NumberRange range, std::optional<double>& into)
{
    const Json* json = find(key, Need::Optional);
    if (json == nullptr) return;
    if (json->is_null()) {
        into.reset();
        return;
    }
    double value = 0.0;
    readNumber(m_reading, {json, pathOf(key)}, range, value);
    if (!m_reading.failed()) into = value;
}

void Fields::whole(std::string_view key, std::uint64_t min, std::uint64_t max, std::uint64_t& into)
{
    const Json* json = find(key, Need::Optional);
    if (json == nullptr) return;
    if (!json->is_number_unsigned()) {
        m_reading.refuse(pathOf(key), "must be a whole number of at least " + std::to_string(min));
        return;
    }
    const auto value = json->get<std::uint64_t>();
    if (value < min || value > max) {
        m_reading.refuse(
            pathOf(key),
            "must be between " + std::to_string(min) + " and " + std::to_string(max) + ", not " +
                std::to_string(value));
        return;
    }
    into = value;
}

void Fields::text(std::string_view key, std::string& into, Need need)
{
    const Json* json = find(key, need);
    if (json == nullptr) return;
    const Item item{json, pathOf(key)};
    if (!json->is_string()) {
        m_reading.refuse(item.path, "must be text, not " + kindOf(item));
        return;
    }
    auto value = json->get<std::string>();
    constexpr std::size_t kLongest = 200;
    if (need == Need::Needed && value.empty()) m_reading.refuse(item.path, "must not be empty");
    if (cleaned(value, kLongest) != value) {
        m_reading.refuse(item.path, "must be plain text of at most 200 characters");
    }
    if (!m_reading.failed()) into = std::move(value);
}

std::optional<std::size_t>
Fields::word(std::string_view key, std::initializer_list<std::string_view> words)
{
    std::string word;
    text(key, word, has(key) ? Need::Needed : Need::Optional);
    if (word.empty() || m_reading.failed()) return std::nullopt;
    std::string list;
    std::size_t index = 0;
    for (const std::string_view each : words) {
        if (each == word) return index;
        list += (list.empty() ? "" : index + 1 == words.size() ? " or " : ", ") + std::string{each};
        ++index;
    }
    m_reading.refuse(pathOf(key), "must be " + list + ", not " + cleaned(word, 40));
    return std::nullopt;
}

std::optional<Fields::Item> Fields::item(std::string_view key, Need need)
{
    const Json* json = find(key, need);
    if (json == nullptr) return std::nullopt;
    return Item{json, pathOf(key)};
}

std::vector<Fields::Item> Fields::list(std::string_view key, Need need)
{
    const std::optional<Item> found = item(key, need);
    std::vector<Item> items;
    if (!found) return items;
    if (!found->json->is_array()) {
        m_reading.refuse(found->path, "must be a list, not " + kindOf(*found));
        return items;
    }
    for (const Json& each : *found->json) {
        items.push_back({&each, found->path + '[' + std::to_string(items.size()) + ']'});
    }
    return items;
}

std::vector<std::pair<std::string, Fields::Item>> Fields::all()
{
    std::vector<std::pair<std::string, Item>> pairs;
    if (m_reading.failed()) return pairs;
    for (const auto& [key, value] : m_item.json->items()) {
        pairs.emplace_back(key, Item{&value, pathOf(key)});
    }
    return pairs;
}

void Fields::done()
{
    if (m_reading.failed()) return;
    for (const auto& [key, value] : m_item.json->items()) {
        if (std::ranges::find(m_known, key) != m_known.end()) continue;
        std::string known;
        for (const std::string& each : m_known)
            known += (known.empty() ? "" : ", ") + each;
        m_reading.refuse(pathOf(cleaned(key, 60)), "is no key that is known here: " + known);
        return;
    }
}

} // namespace weir::sim
