// SPDX-License-Identifier: Apache-2.0
#include "common/quality/json_schema.h"

#include "common/base/text.h"
#include "common/quality/json_text.h"
#include "common/quality/schema_check.h"
#include "common/quality/schema_parsed.h"

#include <array>
#include <set>
#include <utility>

namespace weir::quality {
namespace {

using Json = nlohmann::json;

enum class Shape : std::uint8_t {
    Anything,
    Type,
    Number,
    PositiveNumber,
    Count,
    Flag,
    Text,
    Names,
    NameLists,
    List,
    Expression,
    Reference,
    Schema,
    Schemas,
    SchemaOrSchemas,
    NamedSchemas,
    PatternedSchemas,
    Dependencies,
    Base,
    Unsupported,
};

const std::map<std::string_view, Shape>& shapes()
{
    static const std::map<std::string_view, Shape> kShapes{
        {"type", Shape::Type},
        {"enum", Shape::List},
        {"const", Shape::Anything},
        {"multipleOf", Shape::PositiveNumber},
        {"maximum", Shape::Number},
        {"exclusiveMaximum", Shape::Number},
        {"minimum", Shape::Number},
        {"exclusiveMinimum", Shape::Number},
        {"maxLength", Shape::Count},
        {"minLength", Shape::Count},
        {"pattern", Shape::Expression},
        {"prefixItems", Shape::Schemas},
        {"items", Shape::SchemaOrSchemas},
        {"additionalItems", Shape::Schema},
        {"contains", Shape::Schema},
        {"maxContains", Shape::Count},
        {"minContains", Shape::Count},
        {"maxItems", Shape::Count},
        {"minItems", Shape::Count},
        {"uniqueItems", Shape::Flag},
        {"maxProperties", Shape::Count},
        {"minProperties", Shape::Count},
        {"required", Shape::Names},
        {"properties", Shape::NamedSchemas},
        {"patternProperties", Shape::PatternedSchemas},
        {"additionalProperties", Shape::Schema},
        {"propertyNames", Shape::Schema},
        {"dependencies", Shape::Dependencies},
        {"dependentRequired", Shape::NameLists},
        {"dependentSchemas", Shape::NamedSchemas},
        {"allOf", Shape::Schemas},
        {"anyOf", Shape::Schemas},
        {"oneOf", Shape::Schemas},
        {"not", Shape::Schema},
        {"if", Shape::Schema},
        {"then", Shape::Schema},
        {"else", Shape::Schema},
        {"definitions", Shape::NamedSchemas},
        {"$defs", Shape::NamedSchemas},
        {"$ref", Shape::Reference},
        {"$schema", Shape::Text},
        {"$id", Shape::Base},
        {"$anchor", Shape::Unsupported},
        {"$dynamicAnchor", Shape::Unsupported},
        {"$dynamicRef", Shape::Unsupported},
        {"$recursiveAnchor", Shape::Unsupported},
        {"$recursiveRef", Shape::Unsupported},
        {"unevaluatedItems", Shape::Unsupported},
        {"unevaluatedProperties", Shape::Unsupported},
        {"divisibleBy", Shape::Unsupported},
        {"disallow", Shape::Unsupported},
        {"extends", Shape::Unsupported},
    };
    return kShapes;
}

bool isTypeWord(const Json& word)
{
    constexpr std::array<std::string_view, 7> kTypes{
        "null", "boolean", "object", "array", "number", "string", "integer"};
    return word.is_string() &&
           std::find(kTypes.begin(), kTypes.end(), word.get_ref<const std::string&>()) !=
               kTypes.end();
}

bool isCount(const Json& value)
{
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() < 1e15 &&
           value.get<double>() == static_cast<double>(value.get<std::int64_t>());
}

bool isNames(const Json& value)
{
    return value.is_array() &&
           std::all_of(value.begin(), value.end(), [](const Json& e) { return e.is_string(); });
}

/// "%25" in a reference is "%" in the pointer (RFC 6901 section 6).
std::string percentDecoded(std::string_view text)
{
    std::string decoded;
    const auto hex = [](char c) {
        const std::size_t at = std::string_view{"0123456789abcdef"}.find(
            static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        return at == std::string_view::npos ? -1 : static_cast<int>(at);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape =
            text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
        decoded += isEscape ? static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i];
        if (isEscape) i += 2;
    }
    return decoded;
}

/// Walks every schema that a check could come to, once.
class Survey final
{
public:
    explicit Survey(JsonSchema::Parsed& parsed)
        : m_parsed(parsed)
    {
    }

    void schema(const Json& node, const std::string& place);

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    void refuse(const std::string& place, std::string detail);
    void unsupported(const std::string& place, std::string detail);
    void expect(bool good, const std::string& place, const char* expected);
    void member(Shape shape, const Json& value, const std::string& place, bool isRoot);
    void list(const Json& value, const std::string& place);
    void named(const Json& value, const std::string& place, Shape shape);
    void dependencies(const Json& value, const std::string& place);
    void expression(const std::string& text, const std::string& place);
    void reference(const std::string& text, const std::string& place);

    JsonSchema::Parsed& m_parsed;
    std::optional<Error> m_error;
    std::set<const Json*> m_seen;
};

void Survey::refuse(const std::string& place, std::string detail)
{
    if (!m_error) m_error = Error{"bad_schema", place.empty() ? "/" : place, std::move(detail)};
}

void Survey::unsupported(const std::string& place, std::string detail)
{
    if (!m_error) m_error = Error{"schema_unsupported", place, std::move(detail)};
}

void Survey::expect(bool good, const std::string& place, const char* expected)
{
    if (!good) refuse(place, std::string{"must be "}.append(expected));
}

void Survey::schema(const Json& node, const std::string& place)
{
    if (m_error || !m_seen.insert(&node).second || node.is_boolean()) return;
    if (!node.is_object()) return refuse(place, "a schema is an object, true or false");
    for (const auto& [key, value] : node.items()) {
        const auto known = shapes().find(key);
        if (known == shapes().end()) continue;
        member(known->second, value, place + "/" + cleaned(key, 64), place.empty());
        if (m_error) return;
    }
}

void Survey::member(Shape shape, const Json& value, const std::string& place, bool isRoot)
{
    switch (shape) {
    case Shape::Anything:
        return;
    case Shape::Type:
        return expect(
            isTypeWord(value) ||
                (value.is_array() && std::all_of(value.begin(), value.end(), isTypeWord)),
            place,
            "a JSON type or a list of them");
    case Shape::Number:
        return expect(value.is_number(), place, "a number");
    case Shape::PositiveNumber:
        return expect(value.is_number() && value.get<double>() > 0, place, "a number above 0");
    case Shape::Count:
        return expect(isCount(value), place, "a whole number from 0");
    case Shape::Flag:
        return expect(value.is_boolean(), place, "true or false");
    case Shape::Text:
        return expect(value.is_string(), place, "a text");
    case Shape::Names:
        return expect(isNames(value), place, "a list of names");
    case Shape::List:
        return expect(value.is_array(), place, "a list");
    case Shape::Expression:
        expect(value.is_string(), place, "a regular expression");
        if (!m_error) expression(value.get<std::string>(), place);
        return;
    case Shape::Reference:
        expect(value.is_string(), place, "a reference");
        if (!m_error) reference(value.get<std::string>(), place);
        return;
    case Shape::Schema:
        return schema(value, place);
    case Shape::Schemas:
        return list(value, place);
    case Shape::SchemaOrSchemas:
        return value.is_array() ? list(value, place) : schema(value, place);
    case Shape::NameLists:
    case Shape::NamedSchemas:
    case Shape::PatternedSchemas:
        return named(value, place, shape);
    case Shape::Dependencies:
        return dependencies(value, place);
    case Shape::Base:
        if (!isRoot) unsupported(place, "only the outermost schema may have an $id");
        return;
    case Shape::Unsupported:
        return unsupported(place, "this keyword is not supported; say it with others");
    }
}

void Survey::list(const Json& value, const std::string& place)
{
    expect(value.is_array(), place, "a list of schemas");
    for (std::size_t i = 0; !m_error && i < value.size(); ++i)
        schema(value[i], place + "/" + std::to_string(i));
}

void Survey::named(const Json& value, const std::string& place, Shape shape)
{
    expect(value.is_object(), place, "an object");
    if (m_error) return;
    for (const auto& [key, each] : value.items()) {
        const std::string at = place + "/" + cleaned(key, 64);
        if (shape == Shape::NameLists) {
            expect(isNames(each), at, "a list of names");
            continue;
        }
        if (shape == Shape::PatternedSchemas) expression(key, at);
        schema(each, at);
    }
}

void Survey::dependencies(const Json& value, const std::string& place)
{
    expect(value.is_object(), place, "an object");
    if (m_error) return;
    for (const auto& [key, each] : value.items()) {
        const std::string at = place + "/" + cleaned(key, 64);
        if (each.is_array()) {
            expect(isNames(each), at, "a list of names or a schema");
        } else {
            schema(each, at);
        }
    }
}

void Survey::expression(const std::string& text, const std::string& place)
{
    Result<Pattern> pattern = Pattern::compile(text, Pattern::Case::Kept);
    if (!pattern) return refuse(place, pattern.error().detail);
    m_parsed.patterns.emplace(text, std::move(*pattern));
}

void Survey::reference(const std::string& text, const std::string& place)
{
    if (!text.starts_with("#") || (text.size() > 1 && text[1] != '/')) {
        return unsupported(place, "a reference must point into this schema: \"#/$defs/…\"");
    }
    Json::json_pointer pointer;
    try {
        pointer = Json::json_pointer(percentDecoded(std::string_view{text}.substr(1)));
    } catch (const Json::exception&) {
        return refuse(place, "is no JSON pointer");
    }
    if (!m_parsed.root.contains(pointer)) return refuse(place, "points to nothing");
    const Json& target = m_parsed.root.at(pointer);
    m_parsed.targets.emplace(text, &target);
    schema(target, place);
}

} // namespace

JsonSchema::JsonSchema(std::shared_ptr<const Parsed> parsed)
    : m_parsed(std::move(parsed))
{
}

Result<JsonSchema> JsonSchema::parse(std::string_view json)
{
    std::optional<Json> root = parseJson(json);
    if (!root) return fail("bad_schema", "/", "is not JSON, or over 8 MiB or 100 levels deep");
    auto parsed = std::make_shared<Parsed>();
    parsed->root = std::move(*root);
    if (parsed->root.is_object() && parsed->root.contains("$schema") &&
        parsed->root["$schema"].is_string()) {
        parsed->refStandsAlone = parsed->root["$schema"].get_ref<const std::string&>().find(
                                     "json-schema.org/draft-0") != std::string::npos;
    }
    Survey survey(*parsed);
    survey.schema(parsed->root, "");
    if (survey.error()) return tl::unexpected(*survey.error());
    return JsonSchema(std::move(parsed));
}

Status<> JsonSchema::check(std::string_view json) const
{
    const std::optional<Json> value = parseJson(json);
    if (!value) return fail("not_json", "", "is not one JSON document");
    return checkAgainst(*m_parsed, *value);
}

} // namespace weir::quality
