// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/anthropic_blocks.h"
#include "agent/protocol/anthropic_conversation.h"
#include "agent/protocol/anthropic_tools.h"
#include "agent/protocol/ignored_members.h"
#include "agent/protocol/translation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::protocol {
namespace {

using json::Node;

/// Members that have a counterpart in a Messages request.
constexpr std::array<std::string_view, 17> kTranslated = {
    "model",
    "messages",
    "max_tokens",
    "stream",
    "stream_options",
    "max_completion_tokens",
    "stop",
    "temperature",
    "top_p",
    "top_k",
    "user",
    "safety_identifier",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "reasoning_effort"};

bool checkMembers(const Node& request, const Translation& to)
{
    const Place root;
    for (const Node member : request) {
        if (!member.isGiven() || isIgnored(Protocol::OpenAi, member)) continue;
        const bool known =
            std::any_of(kTranslated.begin(), kTranslated.end(), [&member](std::string_view name) {
                return member.key().is(name);
            });
        // Of `stream_options` only what Weir does not do itself gets here.
        if (!known || member.key().is("stream_options")) {
            return to.refusal.unsupported(root.member(member.key().bytes));
        }
    }
    return true;
}

/// Wire cases B083 and B084.
bool writeMaxTokens(const Node& request, const Translation& to)
{
    const Place root;
    std::optional<std::int64_t> limit;
    for (const std::string_view name : {"max_tokens", "max_completion_tokens"}) {
        const Node given = request[name];
        if (!given.isGiven()) continue;
        const auto count = given.integer();
        if (!count) return to.refusal.invalid(root.member(name), "a whole number");
        limit = std::min(*count, limit.value_or(*count));
    }
    if (!limit && to.target.maxOutputTokens > 0) limit = to.target.maxOutputTokens;
    if (!limit) {
        return to.refusal.unsupported(
            root.member("max_tokens"),
            "a request without it (the route's configuration has no max_output_tokens to fill in)");
    }
    to.out.key("max_tokens");
    to.out.integer(*limit);
    return true;
}

/// Anthropic refuses sequences that are empty or blank.
bool checkStop(const Node& sequence, const Place& place, const Translation& to)
{
    if (!sequence.isString()) return to.refusal.invalid(place, "a string");
    return !isBlank(sequence.string()) || to.refusal.unsupported(place, "a blank stop sequence");
}

bool writeStop(const Node& request, const Translation& to)
{
    const Node stop = request["stop"];
    if (!stop.isGiven() || (stop.isArray() && stop.isEmpty())) return true;
    const Place root;
    const Place place = root.member("stop");
    to.out.key("stop_sequences");
    if (!stop.isArray()) {
        to.out.beginArray();
        to.out.raw(stop.raw());
        to.out.endArray();
        return checkStop(stop, place, to);
    }
    std::size_t index = 0;
    for (const Node sequence : stop) {
        if (!checkStop(sequence, place.element(index++), to)) return false;
    }
    to.out.raw(stop.raw());
    return true;
}

bool writeSampling(const Node& request, const Translation& to)
{
    const Place root;
    for (const std::string_view name : {"temperature", "top_p", "top_k"}) {
        const Node value = request[name];
        if (!value.isGiven()) continue;
        const auto number = value.number();
        if (!number) return to.refusal.invalid(root.member(name), "a number");
        if (name == "temperature" && *number > 1) {
            return to.refusal.unsupported(root.member(name), "a value above 1");
        }
        // vLLM's and SGLang's ways to say that it is off.
        if (name == "top_k" && (*number == 0 || *number == -1)) continue;
        writeGiven(to.out, name, value);
    }
    return true;
}

bool writeUser(const Node& request, const Translation& to)
{
    const Node identifier = request["safety_identifier"];
    const Node user = identifier.isGiven() ? identifier : request["user"];
    if (!user.isGiven()) return true;
    if (!user.isString()) return to.refusal.invalid(Place{}.member("user"), "a string");
    // Who asks does not change the answer; a longer name is refused by Anthropic.
    constexpr std::size_t kUserBytesMax = 256;
    if (user.string().textSize() > kUserBytesMax) return true;
    to.out.key("metadata");
    to.out.beginObject();
    writeGiven(to.out, "user_id", user);
    to.out.endObject();
    return true;
}

/// The schema that the answer must fit; none where plain text is asked for. False where refused.
bool findSchema(const Node& request, const Translation& to, Node& schema)
{
    const Node format = request["response_format"];
    if (!format.isGiven()) return true;
    const Place root;
    const Place place = root.member("response_format");
    if (!to.refusal.onlyKnown(format, place, {"type", "json_schema"})) return false;
    if (format["type"].is("text")) return true;
    if (!format["type"].is("json_schema")) {
        return to.refusal.unsupported(
            place.member("type"), "the response format " + quotedForMessage(format["type"]));
    }
    const Node described = format["json_schema"];
    const Place inner = place.member("json_schema");
    // A description is read by the model; the name and `strict` change nothing there.
    if (!to.refusal.onlyKnown(described, inner, {"name", "schema", "strict"})) return false;
    schema = described["schema"];
    return schema.isObject() || to.refusal.invalid(inner.member("schema"), "a JSON schema");
}

/// The word for `output_config.effort`; none where thinking is off or not mentioned.
bool findEffort(const Node& request, const Translation& to, Node& effort)
{
    const Node wish = request["reasoning_effort"];
    if (!wish.isGiven() || wish.is("none")) return true;
    const Place root;
    const Place place = root.member("reasoning_effort");
    if (!to.target.reasoning) {
        return to.refusal.unsupported(place, "a wish for more or less reasoning");
    }
    effort = wish;
    return isEffort(wish) || to.refusal.unsupported(place, "the effort " + quotedForMessage(wish));
}

bool writeOutput(const Node& request, const Translation& to)
{
    Node schema;
    Node effort;
    if (!findSchema(request, to, schema) || !findEffort(request, to, effort)) return false;
    if (request["reasoning_effort"].is("none") && to.target.reasoning) {
        to.out.key("thinking");
        to.out.raw(R"({"type":"disabled"})");
    }
    if (!schema.exists() && !effort.exists()) return true;
    to.out.key("output_config");
    to.out.beginObject();
    writeGiven(to.out, "effort", effort);
    if (schema.exists()) {
        to.out.key("format");
        to.out.beginObject();
        to.out.key("type");
        to.out.text("json_schema");
        writeGiven(to.out, "schema", schema);
        to.out.endObject();
    }
    to.out.endObject();
    return true;
}

} // namespace

bool toAnthropic(const Node& request, const Translation& to)
{
    if (!checkMembers(request, to)) return false;
    to.out.beginObject();
    to.out.key("model");
    to.out.text(to.target.upstreamModel);
    if (!writeMaxTokens(request, to)) return false;
    if (!AnthropicConversation{to}.write(request["messages"])) return false;
    if (!writeAnthropicTools(request, to)) return false;
    if (!writeStop(request, to) || !writeSampling(request, to)) return false;
    if (!writeUser(request, to) || !writeOutput(request, to)) return false;
    if (request["stream"].isTrue()) writeGiven(to.out, "stream", request["stream"]);
    to.out.endObject();
    return true;
}

} // namespace weir::protocol
