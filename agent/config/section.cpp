// SPDX-License-Identifier: Apache-2.0
#include "agent/config/section.h"

#include "agent/config/nearest.h"
#include "agent/config/units.h"
#include "common/base/text.h"

#include <algorithm>
#include <cmath>

namespace weir::config {
namespace {

constexpr std::size_t kShownCharacters = 48;

/// A key of TOML that needs no quotes.
bool isBare(std::string_view key)
{
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

bool looksLikeSecret(std::string_view key)
{
    return key.find("key") != std::string_view::npos ||
           key.find("token") != std::string_view::npos ||
           key.find("secret") != std::string_view::npos;
}

} // namespace

Faults::Faults(std::string file)
    : m_file(std::move(file))
{
}

void Faults::add(int line, std::string key, std::string detail)
{
    m_errors.push_back({m_file, line, std::move(key), std::move(detail)});
}

std::vector<ConfigError> Faults::take()
{
    std::stable_sort(m_errors.begin(), m_errors.end(), [](const auto& a, const auto& b) {
        return a.line < b.line;
    });
    return std::move(m_errors);
}

int lineOf(const toml::node& node)
{
    return static_cast<int>(node.source().begin.line);
}

std::string quoted(std::string_view text)
{
    std::string shortened = cleaned(text, kShownCharacters + 1);
    if (cleaned(shortened, kShownCharacters) != shortened) {
        shortened = cleaned(shortened, kShownCharacters) + "…";
    }
    return '"' + shortened + '"';
}

std::string shown(const toml::node& node)
{
    if (const auto* text = node.as_string()) return quoted(text->get());
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) {
        const std::string digits = decimal(number->get());
        return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0"
                                                                            : digits;
    }
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (node.is_array()) return "a list";
    return node.is_table() ? "a table" : "a date or time";
}

Section::Section(const toml::table* table, int line, std::string path, Faults& faults)
    : m_table(table)
    , m_line(line)
    , m_path(std::move(path))
    , m_faults(&faults)
{
}

std::string Section::keyPath(std::string_view key) const
{
    const std::string name = isBare(key) ? std::string{key} : quoted(key);
    if (key.empty()) return m_path;
    return m_path.empty() ? name : m_path + '.' + name;
}

const toml::node* Section::find(std::string_view key)
{
    m_known.push_back(key);
    return m_table == nullptr ? nullptr : m_table->get(key);
}

Section Section::child(std::string_view key)
{
    const toml::node* node = find(key);
    if (node == nullptr) return {nullptr, m_line, keyPath(key), *m_faults};
    if (!node->is_table()) {
        const bool isInline = m_path.ends_with(']');
        const std::string cure =
            isInline ? std::string{key} + " = { … }" : '[' + keyPath(key) + ']';
        fault(key, lineOf(*node), "must be a table, not " + shown(*node) + ": write " + cure);
    }
    return {node->as_table(), lineOf(*node), keyPath(key), *m_faults};
}

std::optional<Located> Section::text(std::string_view key)
{
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_string()) return Located{value->get(), lineOf(*node)};
    fault(key, lineOf(*node), "must be a text in quotes, not " + shown(*node));
    return std::nullopt;
}

std::optional<std::vector<Located>> Section::texts(std::string_view key)
{
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
        const std::string cure = node->is_string() ? ": write [" + shown(*node) + ']' : "";
        fault(key, lineOf(*node), "must be a list of texts, not " + shown(*node) + cure);
        return std::nullopt;
    }
    std::vector<Located> values;
    for (const toml::node& element : *array) {
        if (const auto* value = element.as_string()) {
            values.push_back({value->get(), lineOf(element)});
        } else {
            fault(key, lineOf(element), "must hold texts in quotes only, not " + shown(element));
        }
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
        const auto same = [&](const Located& other) { return other.text == values[i].text; };
        if (std::any_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), same)) {
            fault(key, values[i].line, quoted(values[i].text) + " stands twice: name each once");
        }
    }
    return values;
}

std::optional<bool> Section::boolean(std::string_view key)
{
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_boolean()) return value->get();
    fault(key, lineOf(*node), "must be true or false, without quotes, not " + shown(*node));
    return std::nullopt;
}

std::optional<double> Section::number(std::string_view key, double minimum, double maximum)
{
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value >= minimum && *value <= maximum) return value;
    fault(
        key,
        lineOf(*node),
        "must be a number between " + decimal(minimum) + " and " + decimal(maximum) + ", not " +
            shown(*node));
    return std::nullopt;
}

std::int64_t Section::integer(std::string_view key, std::int64_t fallback, const Bounds& bounds)
{
    const toml::node* node = find(key);
    if (node == nullptr) return fallback;
    const auto* value = node->as_integer();
    if (value != nullptr && value->get() >= bounds.minimum && value->get() <= bounds.maximum) {
        return value->get();
    }
    std::string detail =
        (node->is_floating_point() ? "must be a whole number between " : "must be between ") +
        std::to_string(bounds.minimum) + " and " + std::to_string(bounds.maximum) + ", not " +
        shown(*node);
    std::optional<std::int64_t> meant;
    if (const auto* words = node->as_string()) meant = meantBy(words->get(), bounds.unit);
    if (const auto* real = node->as_floating_point()) meant = wholeNear(real->get());
    if (meant && *meant >= bounds.minimum && *meant <= bounds.maximum) {
        detail += ": write " + std::to_string(*meant);
    }
    fault(key, lineOf(*node), std::move(detail));
    return fallback;
}

void Section::fault(std::string_view key, int line, std::string detail)
{
    m_faults->add(line, keyPath(key), std::move(detail));
}

void Section::fault(std::string_view key, std::string detail)
{
    fault(key, m_line, std::move(detail));
}

std::string Section::cureForUnknown(std::string_view key, const toml::node& node) const
{
    // [model.glm-5.2] is a table "2" in the table "glm-5": the commonest slip in such a file.
    const std::size_t dot = m_path.find('.');
    const bool nested = node.is_table() || node.is_array_of_tables();
    if (dot != std::string::npos && nested && !nearest(key, m_known)) {
        const std::string name = m_path.substr(dot + 1) + '.' + std::string{key};
        return ": a name with a dot in it needs quotes: [" + m_path.substr(0, dot + 1) +
               quoted(name) + ']';
    }
    if (looksLikeSecret(key) && node.is_string()) {
        return ": a secret never stands in the file, only the name of its environment variable" +
               suggestion(key, m_known);
    }
    return suggestion(key, m_known);
}

void Section::reportUnknownKeys()
{
    if (m_table == nullptr) return;
    for (const auto& [key, node] : *m_table) {
        const std::string_view name = key.str();
        if (std::find(m_known.begin(), m_known.end(), name) != m_known.end()) continue;
        const bool isSection = m_path.empty() && node.is_table();
        const std::string kind = isSection ? "unknown section" : "unknown key";
        fault(name, static_cast<int>(key.source().begin.line), kind + cureForUnknown(name, node));
    }
}

} // namespace weir::config
