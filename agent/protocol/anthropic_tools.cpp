// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/anthropic_tools.h"

#include "agent/protocol/tool_ids.h"

#include <string_view>

namespace weir::protocol {
namespace {

using json::Node;

/// Anthropic asks for an object's schema that says so.
bool writeSchema(const Node& parameters, const Place& place, const Translation& to)
{
    to.out.key("input_schema");
    if (!parameters.isGiven()) {
        to.out.raw(R"({"type":"object","properties":{}})");
        return true;
    }
    if (!parameters.isObject()) return to.refusal.invalid(place, "a JSON schema of an object");
    if (parameters["type"].exists()) {
        to.out.raw(parameters.raw());
        return true;
    }
    to.out.beginObject();
    to.out.key("type");
    to.out.text("object");
    for (const Node member : parameters)
        writeGiven(to.out, member.key().bytes, member);
    to.out.endObject();
    return true;
}

bool writeTool(const Node& tool, const Place& place, const Translation& to)
{
    if (tool.isObject() && !tool["type"].is("function")) {
        return to.refusal.unsupported(
            place.member("type"), "a tool of type " + quotedForMessage(tool["type"]));
    }
    if (!to.refusal.onlyKnown(tool, place, {"type", "function", "cache_control"})) return false;
    const Node function = tool["function"];
    const Place inner = place.member("function");
    if (!to.refusal.onlyKnown(
            function, inner, {"name", "description", "parameters", "strict", "cache_control"})) {
        return false;
    }
    if (!isToolName(function["name"].text().value_or(std::string{}))) {
        return to.refusal.unsupported(
            inner.member("name"), "the name " + quotedForMessage(function["name"]));
    }
    to.out.beginObject();
    writeGiven(to.out, "name", function["name"]);
    writeGiven(to.out, "description", function["description"]);
    if (!writeSchema(function["parameters"], inner.member("parameters"), to)) return false;
    writeGiven(to.out, "strict", function["strict"]);
    const Node mark = tool["cache_control"];
    writeGiven(to.out, "cache_control", mark.isGiven() ? mark : function["cache_control"]);
    to.out.endObject();
    return true;
}

struct Choice
{
    /// Anthropic's word; empty where nothing was asked for.
    std::string_view type;
    /// Of the one tool that must be called.
    Node name;
};

bool findChoice(const Node& given, const Translation& to, Choice& choice)
{
    const Place root;
    const Place place = root.member("tool_choice");
    if (given.is("auto")) {
        choice.type = "auto";
    } else if (given.is("none")) {
        choice.type = "none";
    } else if (given.is("required")) {
        choice.type = "any";
    } else if (given.isObject()) {
        if (!given["type"].is("function")) {
            return to.refusal.unsupported(
                place.member("type"), "a choice of type " + quotedForMessage(given["type"]));
        }
        if (!to.refusal.onlyKnown(given, place, {"type", "function"})) return false;
        choice = {"tool", given["function"]["name"]};
        if (!choice.name.isString()) return to.refusal.invalid(place, "a function's name");
    } else if (given.isGiven()) {
        return to.refusal.invalid(place, "none, auto, required or a function");
    }
    return true;
}

bool writeChoice(const Node& request, const Translation& to)
{
    Choice choice;
    if (!findChoice(request["tool_choice"], to, choice)) return false;
    const Node parallel = request["parallel_tool_calls"];
    const bool oneByOne = parallel.isFalse() && choice.type != "none";
    if (choice.type.empty() && !oneByOne) return true;
    to.out.key("tool_choice");
    to.out.beginObject();
    to.out.key("type");
    to.out.text(choice.type.empty() ? "auto" : choice.type);
    writeGiven(to.out, "name", choice.name);
    if (oneByOne) {
        to.out.key("disable_parallel_tool_use");
        to.out.boolean(true);
    }
    to.out.endObject();
    return true;
}

} // namespace

bool writeAnthropicTools(const Node& request, const Translation& to)
{
    const Place root;
    const Node tools = request["tools"];
    const Place place = root.member("tools");
    if (tools.isGiven() && !tools.isArray()) return to.refusal.invalid(place, "an array");
    if (tools.isEmpty()) {
        // Without tools the choice means nothing, and Anthropic refuses one; asking for a call all
        // the same is a mistake.
        Choice choice;
        if (!findChoice(request["tool_choice"], to, choice)) return false;
        return choice.type.empty() || choice.type == "auto" || choice.type == "none" ||
               to.refusal.invalid(root.member("tool_choice"), "tools to choose from");
    }
    return writeEach("tools", tools, to, writeTool) && writeChoice(request, to);
}

} // namespace weir::protocol
