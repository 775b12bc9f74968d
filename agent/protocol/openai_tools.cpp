// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/openai_tools.h"

namespace weir::protocol {
namespace {

using json::Node;

bool writeTool(const Node& tool, const Place& place, const Translation& to)
{
    const Node type = tool["type"];
    if (type.isGiven() && !type.is("custom")) {
        // The provider's own tools run on its side.
        return to.refusal.unsupported(
            place.member("type"), "a tool of type " + quotedForMessage(type));
    }
    // `eager_input_streaming` changes the pieces in which a call's input comes, not the input.
    if (!to.refusal.onlyKnown(
            tool,
            place,
            {"type",
             "name",
             "description",
             "input_schema",
             "strict",
             "cache_control",
             "eager_input_streaming"})) {
        return false;
    }
    if (!tool["name"].isString()) return to.refusal.invalid(place.member("name"), "a string");
    const Node schema = tool["input_schema"];
    if (!schema.isObject()) {
        return to.refusal.invalid(place.member("input_schema"), "a JSON schema of an object");
    }
    to.out.beginObject();
    to.out.key("type");
    to.out.text("function");
    to.out.key("function");
    to.out.beginObject();
    writeGiven(to.out, "name", tool["name"]);
    writeGiven(to.out, "description", tool["description"]);
    writeGiven(to.out, "parameters", schema);
    writeGiven(to.out, "strict", tool["strict"]);
    to.out.endObject();
    if (to.target.cacheMarks) writeGiven(to.out, "cache_control", tool["cache_control"]);
    to.out.endObject();
    return true;
}

bool writeChoice(const Node& choice, const Translation& to)
{
    if (!choice.isGiven()) return true;
    constexpr Place kRoot;
    const Place place = kRoot.member("tool_choice");
    if (!to.refusal.onlyKnown(choice, place, {"type", "name", "disable_parallel_tool_use"})) {
        return false;
    }
    const Node type = choice["type"];
    to.out.key("tool_choice");
    if (type.is("auto") || type.is("none")) {
        to.out.raw(type.raw());
    } else if (type.is("any")) {
        to.out.text("required");
    } else if (type.is("tool") && choice["name"].isString()) {
        to.out.beginObject();
        to.out.key("type");
        to.out.text("function");
        to.out.key("function");
        to.out.beginObject();
        writeGiven(to.out, "name", choice["name"]);
        to.out.endObject();
        to.out.endObject();
    } else {
        return to.refusal.invalid(place, "auto, any, none or a tool's name");
    }
    if (choice["disable_parallel_tool_use"].isTrue()) {
        to.out.key("parallel_tool_calls");
        to.out.boolean(false);
    }
    return true;
}

} // namespace

bool writeOpenAiTools(const Node& request, const Translation& to)
{
    constexpr Place kRoot;
    const Node tools = request["tools"];
    const Place place = kRoot.member("tools");
    if (tools.isGiven() && !tools.isArray()) return to.refusal.invalid(place, "an array");
    if (tools.isEmpty()) {
        const Node type = request["tool_choice"]["type"];
        return !type.isGiven() || type.is("auto") || type.is("none") ||
               to.refusal.invalid(kRoot.member("tool_choice"), "tools to choose from");
    }
    return writeEach("tools", tools, to, writeTool) && writeChoice(request["tool_choice"], to);
}

} // namespace weir::protocol
