// SPDX-License-Identifier: Apache-2.0
#include "common/quality/schema_check.h"

#include "common/quality/schema_values.h"

#include <algorithm>
#include <string_view>

namespace weir::quality {
namespace {

using Json = nlohmann::json;

/// Some ten milliseconds' work: a caller's schema is checked where users' answers go by. A schema
/// that branches on every level would need years.
constexpr std::size_t kStepsMax = 100'000;
/// Schemas in one another; a reference that leads back to itself ends here.
constexpr int kNestingMax = 500;

class Check final
{
public:
    explicit Check(const JsonSchema::Parsed& schema)
        : m_schema(schema)
    {
    }

    [[nodiscard]] bool holds(const Json& schema, const Json& value);
    /// False once the whole check has cost too much; then nothing else counts.
    [[nodiscard]] bool spend(std::size_t steps);

    [[nodiscard]] const Pattern& pattern(const std::string& text) const
    {
        return m_schema.patterns.find(text)->second;
    }

    [[nodiscard]] const Json& target(const std::string& reference) const
    {
        return *m_schema.targets.find(reference)->second;
    }

    [[nodiscard]] Status<> verdict(bool held) const;

private:
    const JsonSchema::Parsed& m_schema;
    std::size_t m_steps = 0;
    int m_nesting = 0;
    bool m_isTooCostly = false;
    std::string_view m_failed;
};

/// What one keyword says of a value; `schema` is the object in which it stands.
struct Saying
{
    const Json& says;
    const Json& schema;
    const Json& value;
};

using Keyword = bool (*)(Check& check, const Saying& s);

bool keepsEnum(Check& check, const Saying& s)
{
    return check.spend(s.says.size()) && isOneOf(s.says, s.value);
}

bool keepsPattern(Check& check, const Saying& s)
{
    if (!s.value.is_string()) return true;
    const auto& text = s.value.get_ref<const std::string&>();
    constexpr std::size_t kBytesPerStep = 64;
    return check.spend(text.size() / kBytesPerStep) &&
           check.pattern(s.says.get_ref<const std::string&>()).isIn(text);
}

bool allFrom(Check& check, const Json& schema, const Json& list, std::size_t from)
{
    for (std::size_t i = from; i < list.size(); ++i) {
        if (!check.holds(schema, list[i])) return false;
    }
    return true;
}

bool eachInPlace(Check& check, const Json& schemas, const Json& list)
{
    const std::size_t both = std::min(schemas.size(), list.size());
    for (std::size_t i = 0; i < both; ++i) {
        if (!check.holds(schemas[i], list[i])) return false;
    }
    return true;
}

bool keepsPrefixItems(Check& check, const Saying& s)
{
    return !s.value.is_array() || eachInPlace(check, s.says, s.value);
}

bool keepsItems(Check& check, const Saying& s)
{
    if (!s.value.is_array()) return true;
    if (s.says.is_array()) return eachInPlace(check, s.says, s.value);
    const auto prefix = s.schema.find("prefixItems");
    return allFrom(check, s.says, s.value, prefix == s.schema.end() ? 0 : prefix->size());
}

bool keepsAdditionalItems(Check& check, const Saying& s)
{
    const auto items = s.schema.find("items");
    const bool applies = s.value.is_array() && items != s.schema.end() && items->is_array();
    return !applies || allFrom(check, s.says, s.value, items->size());
}

bool keepsContains(Check& check, const Saying& s)
{
    if (!s.value.is_array()) return true;
    std::size_t found = 0;
    for (const Json& each : s.value)
        found += check.holds(s.says, each) ? 1 : 0;
    const auto least = s.schema.find("minContains");
    const auto most = s.schema.find("maxContains");
    return found >= (least == s.schema.end() ? 1 : count(*least)) &&
           (most == s.schema.end() || found <= count(*most));
}

bool keepsUniqueItems(Check& check, const Saying& s)
{
    if (!s.value.is_array() || !s.says.get<bool>()) return true;
    return check.spend(s.value.size()) && areUnique(s.value);
}

bool keepsRequired(Check& check, const Saying& s)
{
    return !s.value.is_object() || (check.spend(s.says.size()) && hasAll(s.says, s.value));
}

bool keepsProperties(Check& check, const Saying& s)
{
    if (!s.value.is_object()) return true;
    return std::all_of(s.says.items().begin(), s.says.items().end(), [&](const auto& property) {
        const auto member = s.value.find(property.key());
        return member == s.value.end() || check.holds(property.value(), *member);
    });
}

bool keepsPatternProperties(Check& check, const Saying& s)
{
    if (!s.value.is_object()) return true;
    for (const auto& [expression, schema] : s.says.items()) {
        const Pattern& pattern = check.pattern(expression);
        for (const auto& [key, member] : s.value.items()) {
            if (!check.spend(1)) return false;
            if (pattern.isIn(key) && !check.holds(schema, member)) return false;
        }
    }
    return true;
}

bool isNamed(Check& check, const Json& schema, const std::string& key)
{
    const auto properties = schema.find("properties");
    if (properties != schema.end() && properties->contains(key)) return true;
    const auto patterns = schema.find("patternProperties");
    if (patterns == schema.end()) return false;
    return std::any_of(patterns->items().begin(), patterns->items().end(), [&](const auto& each) {
        return check.pattern(each.key()).isIn(key);
    });
}

bool keepsAdditionalProperties(Check& check, const Saying& s)
{
    if (!s.value.is_object()) return true;
    return std::all_of(s.value.items().begin(), s.value.items().end(), [&](const auto& member) {
        return check.spend(1) &&
               (isNamed(check, s.schema, member.key()) || check.holds(s.says, member.value()));
    });
}

bool keepsPropertyNames(Check& check, const Saying& s)
{
    if (!s.value.is_object()) return true;
    return std::all_of(s.value.items().begin(), s.value.items().end(), [&](const auto& member) {
        const Json name = member.key();
        return check.holds(s.says, name);
    });
}

/// `dependencies`, and the two keywords that took its place.
bool keepsDependencies(Check& check, const Saying& s)
{
    if (!s.value.is_object()) return true;
    return std::all_of(s.says.items().begin(), s.says.items().end(), [&](const auto& each) {
        if (!s.value.contains(each.key())) return true;
        return each.value().is_array() ? hasAll(each.value(), s.value)
                                       : check.holds(each.value(), s.value);
    });
}

std::size_t howManyHold(Check& check, const Saying& s)
{
    return static_cast<std::size_t>(
        std::count_if(s.says.begin(), s.says.end(), [&](const Json& each) {
            return check.holds(each, s.value);
        }));
}

bool keepsAllOf(Check& check, const Saying& s)
{
    return std::all_of(
        s.says.begin(), s.says.end(), [&](const Json& each) { return check.holds(each, s.value); });
}

bool keepsAnyOf(Check& check, const Saying& s)
{
    return std::any_of(
        s.says.begin(), s.says.end(), [&](const Json& each) { return check.holds(each, s.value); });
}

bool keepsIf(Check& check, const Saying& s)
{
    const auto branch = s.schema.find(check.holds(s.says, s.value) ? "then" : "else");
    return branch == s.schema.end() || check.holds(*branch, s.value);
}

template <class Compare>
bool number(const Saying& s, Compare compare)
{
    return !s.value.is_number() || compare(s.value, s.says);
}

template <class Compare>
bool length(const Saying& s, Compare compare)
{
    return !s.value.is_string() ||
           compare(characters(s.value.get_ref<const std::string&>()), count(s.says));
}

template <class Compare>
bool items(const Saying& s, Compare compare)
{
    return !s.value.is_array() || compare(s.value.size(), count(s.says));
}

template <class Compare>
bool members(const Saying& s, Compare compare)
{
    return !s.value.is_object() || compare(s.value.size(), count(s.says));
}

const std::map<std::string_view, Keyword>& keywords()
{
    using AtMost = std::less_equal<>;
    using AtLeast = std::greater_equal<>;
    static const std::map<std::string_view, Keyword> kKeywords{
        {"type", [](Check&, const Saying& s) { return isOfType(s.says, s.value); }},
        {"enum", keepsEnum},
        {"const", [](Check&, const Saying& s) { return s.says == s.value; }},
        {"multipleOf", [](Check&, const Saying& s) { return isMultipleOf(s.says, s.value); }},
        {"maximum", [](Check&, const Saying& s) { return number(s, AtMost{}); }},
        {"exclusiveMaximum", [](Check&, const Saying& s) { return number(s, std::less<>{}); }},
        {"minimum", [](Check&, const Saying& s) { return number(s, AtLeast{}); }},
        {"exclusiveMinimum", [](Check&, const Saying& s) { return number(s, std::greater<>{}); }},
        {"maxLength", [](Check&, const Saying& s) { return length(s, AtMost{}); }},
        {"minLength", [](Check&, const Saying& s) { return length(s, AtLeast{}); }},
        {"pattern", keepsPattern},
        {"prefixItems", keepsPrefixItems},
        {"items", keepsItems},
        {"additionalItems", keepsAdditionalItems},
        {"contains", keepsContains},
        {"maxItems", [](Check&, const Saying& s) { return items(s, AtMost{}); }},
        {"minItems", [](Check&, const Saying& s) { return items(s, AtLeast{}); }},
        {"uniqueItems", keepsUniqueItems},
        {"maxProperties", [](Check&, const Saying& s) { return members(s, AtMost{}); }},
        {"minProperties", [](Check&, const Saying& s) { return members(s, AtLeast{}); }},
        {"required", keepsRequired},
        {"properties", keepsProperties},
        {"patternProperties", keepsPatternProperties},
        {"additionalProperties", keepsAdditionalProperties},
        {"propertyNames", keepsPropertyNames},
        {"dependencies", keepsDependencies},
        {"dependentRequired", keepsDependencies},
        {"dependentSchemas", keepsDependencies},
        {"allOf", keepsAllOf},
        {"anyOf", keepsAnyOf},
        {"oneOf", [](Check& check, const Saying& s) { return howManyHold(check, s) == 1; }},
        {"not", [](Check& check, const Saying& s) { return !check.holds(s.says, s.value); }},
        {"if", keepsIf},
        {"$ref",
         [](Check& check, const Saying& s) {
             return check.holds(check.target(s.says.get_ref<const std::string&>()), s.value);
         }},
    };
    return kKeywords;
}

bool Check::spend(std::size_t steps)
{
    m_steps += steps;
    m_isTooCostly = m_isTooCostly || m_steps > kStepsMax;
    return !m_isTooCostly;
}

bool Check::holds(const Json& schema, const Json& value)
{
    if (schema.is_boolean()) {
        if (!schema.get<bool>()) m_failed = "false";
        return schema.get<bool>();
    }
    if (m_nesting >= kNestingMax) m_isTooCostly = true;
    if (!spend(1)) return false;
    ++m_nesting;
    const bool refAlone = m_schema.refStandsAlone && schema.contains("$ref");
    bool held = true;
    for (auto member = schema.begin(); held && member != schema.end(); ++member) {
        const auto keyword = keywords().find(member.key());
        if (keyword == keywords().end() || (refAlone && member.key() != "$ref")) continue;
        held = keyword->second(*this, Saying{*member, schema, value});
        if (!held && m_failed != keyword->first) m_failed = keyword->first;
    }
    --m_nesting;
    return held;
}

Status<> Check::verdict(bool held) const
{
    if (m_isTooCostly) {
        return fail("too_costly", "", "the schema branches or refers to itself without end");
    }
    if (held) return {};
    return fail("mismatch", std::string{m_failed}, "the answer does not keep this keyword");
}

} // namespace

Status<> checkAgainst(const JsonSchema::Parsed& schema, const nlohmann::json& value)
{
    Check check(schema);
    const bool held = check.holds(schema.root, value);
    return check.verdict(held);
}

} // namespace weir::quality
