// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::sim {

/// Where a document is read, and the first fault found in it: the others are not looked at.
struct Reading
{
    std::string file;
    std::optional<Error> fault;

    [[nodiscard]] bool failed() const { return fault.has_value(); }

    /// Keeps the first.
    void refuse(const std::string& path, const std::string& detail);
};

struct NumberRange
{
    double minimum;
    double maximum;
};

/// One JSON object read key by key. A key that nobody asked for is a fault (`done()`), so is a
/// value of another type or outside its range. After a fault nothing is read any more.
class Fields final
{
public:
    using Json = nlohmann::ordered_json;
    enum class Need : std::uint8_t { Needed, Optional };

    struct Item
    {
        const Json* json = nullptr;
        std::string path;
    };

    /// Refuses what is no object.
    Fields(Reading& reading, const Item& item);

    /// Leaves `into` as it was where an optional key is missing.
    void number(std::string_view key, NumberRange range, double& into, Need need);
    /// `null` takes the value away.
    void nullable(std::string_view key, NumberRange range, std::optional<double>& into);
    void whole(std::string_view key, std::uint64_t min, std::uint64_t max, std::uint64_t& into);
    void text(std::string_view key, std::string& into, Need need);
    /// The place of the value among `words`, or a fault that names them all; nothing where missing.
    [[nodiscard]] std::optional<std::size_t>
    word(std::string_view key, std::initializer_list<std::string_view> words);
    /// The value itself, to be read as an object or a number of its own.
    [[nodiscard]] std::optional<Item> item(std::string_view key, Need need);
    [[nodiscard]] std::vector<Item> list(std::string_view key, Need need);
    /// All key-value pairs, for an object whose keys are names.
    [[nodiscard]] std::vector<std::pair<std::string, Item>> all();
    /// Every key must have been asked for.
    void done();

    [[nodiscard]] bool has(std::string_view key) const;

    [[nodiscard]] const std::string& path() const { return m_item.path; }

    [[nodiscard]] std::string pathOf(std::string_view key) const;

private:
    [[nodiscard]] const Json* find(std::string_view key, Need need);

    Reading& m_reading;
    Item m_item;
    std::vector<std::string> m_known;
};

/// A list of plain texts, none of them empty and each once; optional.
[[nodiscard]] std::vector<std::string>
readNames(Reading& reading, Fields& fields, std::string_view key);
/// A number within the range, or a fault.
void readNumber(Reading& reading, const Fields::Item& item, NumberRange range, double& into);
/// "text", "a number", …: what the value is, for a fault.
[[nodiscard]] std::string kindOf(const Fields::Item& item);

} // namespace weir::sim
