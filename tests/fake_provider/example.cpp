// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/example.h"

#include <string_view>

namespace weir::fake {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;

constexpr int kDepthMax = 16; // a schema may refer to itself

/// The one type, or the first of several.
std::string_view typeOf(element schema)
{
    std::string_view word;
    element type;
    if (schema["type"].get(type) != simdjson::SUCCESS) return "";
    if (type.is_array() && type.at(0).get(type) != simdjson::SUCCESS) return "";
    return type.get_string().get(word) == simdjson::SUCCESS ? word : "";
}

std::string objectOf(element schema, element root, int depth)
{
    std::string text = "{";
    array required;
    if (schema["required"].get_array().get(required) == simdjson::SUCCESS) {
        for (element each : required) {
            std::string_view name;
            element property;
            if (each.get_string().get(name) != simdjson::SUCCESS) continue;
            const bool known = schema["properties"][name].get(property) == simdjson::SUCCESS;
            text += (text.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":";
            text += known ? exampleOf(property, root, depth + 1) : "null";
        }
    }
    return text + "}";
}

} // namespace

std::string exampleOf(element schema, element root, int depth)
{
    if (depth > kDepthMax || !schema.is_object()) return "null";
    element part;
    std::string_view pointer;
    if (schema["$ref"].get_string().get(pointer) == simdjson::SUCCESS && pointer.starts_with('#') &&
        root.at_pointer(pointer.substr(1)).get(part) == simdjson::SUCCESS)
        return exampleOf(part, root, depth + 1);
    if (schema["const"].get(part) == simdjson::SUCCESS ||
        schema["enum"].at(0).get(part) == simdjson::SUCCESS)
        return simdjson::minify(part);
    if (schema["anyOf"].at(0).get(part) == simdjson::SUCCESS)
        return exampleOf(part, root, depth + 1);
    const std::string_view type = typeOf(schema);
    if (type == "integer" || type == "number") return "1";
    if (type == "boolean") return "true";
    if (type == "array") return "[]";
    if (type == "object") return objectOf(schema, root, depth);
    return "\"Berlin\"";
}

} // namespace weir::fake
