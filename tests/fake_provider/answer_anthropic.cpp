// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/answer_anthropic.h"

namespace weir::fake::anthropic {

namespace {

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

/// Anthropic's input_tokens leave out what the cache gave or took.
std::string usageObject(const Usage& usage, std::uint64_t output)
{
    return "{\"input_tokens\":" + number(usage.input - usage.cached - usage.created) +
           ",\"cache_creation_input_tokens\":" + number(usage.created) +
           ",\"cache_read_input_tokens\":" + number(usage.cached) +
           ",\"output_tokens\":" + number(output) + "}";
}

std::string stopReason(const Plan& plan)
{
    if (plan.finishReason == "stop") return "end_turn";
    if (plan.finishReason == "length") return "max_tokens";
    if (plan.finishReason == "tool_calls") return "tool_use";
    if (plan.finishReason == "content_filter") return "refusal";
    return plan.finishReason;
}

std::string head(const Plan& plan)
{
    return "{\"id\":\"msg_fake_" + number(plan.number) +
           "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":" + jsonText(plan.model);
}

std::string callObject(const Plan& plan, std::size_t index, std::string_view input)
{
    return "{\"type\":\"tool_use\",\"id\":\"toolu_fake_" + number(plan.number) + "_" +
           std::to_string(index) + "\",\"name\":" + jsonText(plan.calls[index].name) +
           ",\"input\":" + std::string(input) + "}";
}

Event blockStart(std::size_t index, const std::string& block)
{
    return {
        "content_block_start",
        "{\"type\":\"content_block_start\",\"index\":" + std::to_string(index) +
            ",\"content_block\":" + block + "}"};
}

Event blockDelta(std::size_t index, const std::string& delta)
{
    return {
        "content_block_delta",
        "{\"type\":\"content_block_delta\",\"index\":" + std::to_string(index) +
            ",\"delta\":" + delta + "}"};
}

Event blockStop(std::size_t index)
{
    return {
        "content_block_stop",
        "{\"type\":\"content_block_stop\",\"index\":" + std::to_string(index) + "}"};
}

/// The text block stands behind a thinking block if there is one.
std::size_t textIndex(const Plan& plan)
{
    return plan.usage.reasoning > 0 ? 1 : 0;
}

std::string signature(const Plan& plan)
{
    return jsonText(signatureOf(reasoningOf(plan), plan.issuer));
}

std::string redactedBlock(const Plan& plan)
{
    return "{\"type\":\"redacted_thinking\",\"data\":" + signature(plan) + "}";
}

void addThinking(const Plan& plan, std::vector<Event>& events)
{
    if (plan.redacted) {
        events.push_back(blockStart(0, redactedBlock(plan)));
        events.push_back(blockStop(0));
        return;
    }
    events.push_back(blockStart(0, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"));
    const std::string token = jsonText(kReasoningToken);
    for (std::uint64_t at = 0; at < plan.usage.reasoning; ++at)
        events.push_back(blockDelta(0, "{\"type\":\"thinking_delta\",\"thinking\":" + token + "}"));
    events.push_back(
        blockDelta(0, "{\"type\":\"signature_delta\",\"signature\":" + signature(plan) + "}"));
    events.push_back(blockStop(0));
}

void addCallEvents(const Plan& plan, std::vector<Event>& events)
{
    for (std::size_t call = 0; call < plan.calls.size(); ++call) {
        const std::size_t index = textIndex(plan) + (plan.textTokens > 0 ? 1 : 0) + call;
        const std::string& arguments = plan.calls[call].arguments;
        events.push_back(blockStart(index, callObject(plan, call, "{}")));
        for (const std::string_view part : halvesOf(arguments))
            events.push_back(blockDelta(
                index, "{\"type\":\"input_json_delta\",\"partial_json\":" + jsonText(part) + "}"));
        events.push_back(blockStop(index));
    }
}

} // namespace

std::vector<Event> openingEvents(const Plan& plan)
{
    std::vector<Event> events;
    events.push_back(
        {"message_start",
         "{\"type\":\"message_start\",\"message\":" + head(plan) +
             ",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":" +
             usageObject(plan.usage, 1) + "}}"});
    if (plan.usage.reasoning > 0) addThinking(plan, events);
    if (plan.textTokens > 0)
        events.push_back(blockStart(textIndex(plan), "{\"type\":\"text\",\"text\":\"\"}"));
    events.push_back({"ping", "{\"type\": \"ping\"}"});
    return events;
}

Event textEvent(const Plan& plan, std::string_view text)
{
    return blockDelta(textIndex(plan), "{\"type\":\"text_delta\",\"text\":" + jsonText(text) + "}");
}

std::vector<Event> closingEvents(const Plan& plan)
{
    std::vector<Event> events;
    if (plan.textTokens > 0) events.push_back(blockStop(textIndex(plan)));
    addCallEvents(plan, events);
    if (plan.fault != Fault::NoFinish)
        events.push_back(
            {"message_delta",
             "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":" +
                 jsonText(stopReason(plan)) +
                 ",\"stop_sequence\":null},\"usage\":{\"output_tokens\":" +
                 number(plan.usage.output) + "}}"});
    if (plan.fault != Fault::NoDone && plan.fault != Fault::NoFinish)
        events.push_back({"message_stop", "{\"type\":\"message_stop\"}"});
    return events;
}

std::string jsonAnswer(const Plan& plan)
{
    std::string content;
    const auto add = [&content](const std::string& block) {
        content += (content.empty() ? "" : ",") + block;
    };
    if (plan.usage.reasoning > 0 && plan.redacted)
        add(redactedBlock(plan));
    else if (plan.usage.reasoning > 0)
        add("{\"type\":\"thinking\",\"thinking\":" + jsonText(reasoningOf(plan)) +
            ",\"signature\":" + signature(plan) + "}");
    if (plan.textTokens > 0)
        add("{\"type\":\"text\",\"text\":" + jsonText(textOf(plan, 0, plan.textTokens)) + "}");
    for (std::size_t index = 0; index < plan.calls.size(); ++index)
        add(callObject(plan, index, plan.calls[index].arguments));
    const std::string stop = plan.fault == Fault::NoFinish ? "null" : jsonText(stopReason(plan));
    return head(plan) + ",\"content\":[" + content + "],\"stop_reason\":" + stop +
           ",\"stop_sequence\":null,\"usage\":" + usageObject(plan.usage, plan.usage.output) + "}";
}

} // namespace weir::fake::anthropic
