// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/ignored_members.h"
#include "agent/protocol/openai_conversation.h"
#include "agent/protocol/openai_tools.h"
#include "agent/protocol/translation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::protocol {
namespace {

using json::Node;

constexpr Place kRoot;

/// Members that have a counterpart in a Chat Completions request.
constexpr std::array<std::string_view, 14> kTranslated = {
    "model",
    "messages",
    "system",
    "max_tokens",
    "stream",
    "stop_sequences",
    "temperature",
    "top_p",
    "metadata",
    "tools",
    "tool_choice",
    "thinking",
    "output_config",
    "output_format"};

/// Budgets of thinking, in tokens, below which a little and a medium effort are meant; Anthropic's
/// least budget is 1024.
constexpr std::int64_t kLowBudgetTokens = 4096;
constexpr std::int64_t kMediumBudgetTokens = 16384;

bool checkMembers(const Node& request, const Translation& to)
{
    for (const Node member : request) {
        if (!member.isGiven() || isIgnored(Protocol::Anthropic, member)) continue;
        const bool known =
            std::any_of(kTranslated.begin(), kTranslated.end(), [&member](std::string_view name) {
                return member.key().is(name);
            });
        if (!known) return to.refusal.unsupported(kRoot.member(member.key().bytes));
    }
    return true;
}

bool writeLimits(const Node& request, const Translation& to)
{
    const Node limit = request["max_tokens"];
    if (limit.isGiven() && !limit.has(Node::Type::Number)) {
        return to.refusal.invalid(kRoot.member("max_tokens"), "a whole number");
    }
    writeGiven(to.out, to.target.maxTokensName, limit);
    const Node stop = request["stop_sequences"];
    if (stop.isGiven() && !stop.isArray()) {
        return to.refusal.invalid(kRoot.member("stop_sequences"), "an array");
    }
    if (!stop.isEmpty()) writeGiven(to.out, "stop", stop);
    writeGiven(to.out, "temperature", request["temperature"]);
    writeGiven(to.out, "top_p", request["top_p"]);
    return true;
}

bool writeUser(const Node& metadata, const Translation& to)
{
    if (!metadata.isGiven()) return true;
    const Place place = kRoot.member("metadata");
    if (!to.refusal.onlyKnown(metadata, place, {"user_id"})) return false;
    // Who asks does not change the answer; a longer name is refused by OpenAI.
    constexpr std::size_t kUserBytesMax = 64;
    const Node user = metadata["user_id"];
    if (user.string().textSize() <= kUserBytesMax) writeGiven(to.out, "user", user);
    return true;
}

bool writeFormat(const Node& format, const Place& place, const Translation& to)
{
    if (!format.isGiven()) return true;
    if (!format["type"].is("json_schema")) {
        return to.refusal.unsupported(
            place.member("type"), "the output format " + quotedForMessage(format["type"]));
    }
    if (!to.refusal.onlyKnown(format, place, {"type", "schema"})) return false;
    if (!format["schema"].isObject()) {
        return to.refusal.invalid(place.member("schema"), "a JSON schema");
    }
    to.out.key("response_format");
    to.out.beginObject();
    to.out.key("type");
    to.out.text("json_schema");
    to.out.key("json_schema");
    to.out.beginObject();
    to.out.key("name");
    to.out.text("answer");
    to.out.key("strict");
    to.out.boolean(true);
    writeGiven(to.out, "schema", format["schema"]);
    to.out.endObject();
    to.out.endObject();
    return true;
}

std::string_view effortFor(std::int64_t budgetTokens)
{
    if (budgetTokens < kLowBudgetTokens) return "low";
    return budgetTokens < kMediumBudgetTokens ? "medium" : "high";
}

bool writeEffort(const Node& thinking, const Node& effort, const Translation& to)
{
    const Place outer = kRoot.member("output_config");
    const Place place = outer.member("effort");
    const bool thinks = thinking.isGiven() && !thinking["type"].is("disabled");
    if (!thinks && !effort.isGiven()) return true;
    if (!to.target.reasoning) {
        return to.refusal.unsupported(
            thinks ? kRoot.member("thinking") : place, "a wish for more or less reasoning");
    }
    if (effort.isGiven()) {
        if (!isEffort(effort)) {
            return to.refusal.unsupported(place, "the effort " + quotedForMessage(effort));
        }
        writeGiven(to.out, "reasoning_effort", effort);
    } else if (const auto budget = thinking["budget_tokens"].integer()) {
        to.out.key("reasoning_effort");
        to.out.text(effortFor(*budget));
    }
    return true;
}

bool writeReasoning(const Node& request, const Translation& to)
{
    const Node thinking = request["thinking"];
    const Place place = kRoot.member("thinking");
    if (thinking.isGiven()) {
        // How much of the thinking is shown (`display`) is not for the model.
        if (!to.refusal.onlyKnown(thinking, place, {"type", "budget_tokens", "display"})) {
            return false;
        }
        const Node type = thinking["type"];
        if (!type.is("enabled") && !type.is("disabled") && !type.is("adaptive")) {
            return to.refusal.unsupported(
                place.member("type"), "thinking of type " + quotedForMessage(type));
        }
    }
    const Node config = request["output_config"];
    const Place configPlace = kRoot.member("output_config");
    if (config.isGiven() && !to.refusal.onlyKnown(config, configPlace, {"effort", "format"})) {
        return false;
    }
    if (!writeEffort(thinking, config["effort"], to)) return false;
    const Node format = config["format"];
    return format.isGiven()
               ? writeFormat(format, configPlace.member("format"), to)
               : writeFormat(request["output_format"], kRoot.member("output_format"), to);
}

void writeStream(const Node& request, const Translation& to)
{
    if (!request["stream"].isTrue()) return;
    writeGiven(to.out, "stream", request["stream"]);
    if (to.target.streamOptions) {
        to.out.key("stream_options");
        to.out.raw(R"({"include_usage":true})");
    }
}

} // namespace

bool toOpenAi(const Node& request, const Translation& to)
{
    if (!checkMembers(request, to)) return false;
    to.out.beginObject();
    to.out.key("model");
    to.out.text(to.target.upstreamModel);
    if (!OpenAiConversation{to}.write(request["system"], request["messages"])) return false;
    if (!writeOpenAiTools(request, to)) return false;
    if (!writeLimits(request, to) || !writeUser(request["metadata"], to)) return false;
    if (!writeReasoning(request, to)) return false;
    writeStream(request, to);
    to.out.endObject();
    return true;
}

} // namespace weir::protocol
