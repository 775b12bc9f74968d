// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/answer_openai.h"

namespace weir::fake::openai {

namespace {

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

std::string usageObject(const Usage& usage)
{
    return "{\"prompt_tokens\":" + number(usage.input) +
           ",\"completion_tokens\":" + number(usage.output) +
           ",\"total_tokens\":" + number(usage.input + usage.output) +
           ",\"prompt_tokens_details\":{\"cached_tokens\":" + number(usage.cached) +
           "},\"completion_tokens_details\":{\"reasoning_tokens\":" + number(usage.reasoning) +
           "}}";
}

std::string head(const Plan& plan, std::string_view object)
{
    return "{\"id\":\"chatcmpl-fake-" + number(plan.number) + "\",\"object\":\"" +
           std::string(object) + "\",\"created\":" + number(1'700'000'000 + plan.number) +
           ",\"model\":" + jsonText(plan.model);
}

/// One chunk with one choice. Whoever asked for usage gets "usage":null on all but the last chunk.
Event chunk(
    const Plan& plan,
    const std::string& delta,
    const std::string& finish,
    UsageStyle style,
    std::uint64_t tokensSoFar)
{
    std::string data = head(plan, "chat.completion.chunk") +
                       ",\"choices\":[{\"index\":0,\"delta\":" + delta +
                       ",\"logprobs\":null,\"finish_reason\":" + finish + "}]";
    if (style == UsageStyle::Every) {
        Usage sofar = plan.usage;
        sofar.output = tokensSoFar;
        data += ",\"usage\":" + usageObject(sofar);
    } else if (style == UsageStyle::Asked && plan.includeUsage) {
        data += ",\"usage\":null";
    }
    return {"", data + "}"};
}

std::string
callObject(const Plan& plan, std::size_t index, std::string_view arguments, bool indexed)
{
    std::string text = "{";
    if (indexed) text += "\"index\":" + std::to_string(index) + ",";
    return text + "\"id\":\"call_fake_" + number(plan.number) + "_" + std::to_string(index) +
           "\",\"type\":\"function\",\"function\":{\"name\":" + jsonText(plan.calls[index].name) +
           ",\"arguments\":" + jsonText(arguments) + "}}";
}

void addCallEvents(const Plan& plan, UsageStyle style, std::vector<Event>& events)
{
    for (std::size_t index = 0; index < plan.calls.size(); ++index) {
        const std::string& arguments = plan.calls[index].arguments;
        events.push_back(chunk(
            plan,
            "{\"tool_calls\":[" + callObject(plan, index, "", true) + "]}",
            "null",
            style,
            plan.usage.output));
        for (const std::string_view part : halvesOf(arguments))
            events.push_back(chunk(
                plan,
                "{\"tool_calls\":[{\"index\":" + std::to_string(index) +
                    ",\"function\":{\"arguments\":" + jsonText(part) + "}}]}",
                "null",
                style,
                plan.usage.output));
    }
}

} // namespace

std::vector<Event> openingEvents(const Plan& plan, UsageStyle style)
{
    std::vector<Event> events;
    events.push_back(chunk(
        plan, "{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null", style, 0));
    for (std::uint64_t at = 0; at < plan.usage.reasoning; ++at)
        events.push_back(chunk(
            plan,
            "{" + jsonText(plan.reasoningField) + ":" + jsonText(kReasoningToken) + "}",
            "null",
            style,
            at + 1));
    return events;
}

Event textEvent(
    const Plan& plan, std::string_view text, std::uint64_t tokensSoFar, UsageStyle style)
{
    return chunk(plan, "{\"content\":" + jsonText(text) + "}", "null", style, tokensSoFar);
}

std::vector<Event> closingEvents(const Plan& plan, UsageStyle style)
{
    std::vector<Event> events;
    addCallEvents(plan, style, events);
    if (plan.fault != Fault::NoFinish)
        events.push_back(chunk(plan, "{}", jsonText(plan.finishReason), style, plan.usage.output));
    const bool asked = style == UsageStyle::Asked && plan.includeUsage;
    if (asked || style == UsageStyle::Always)
        events.push_back(
            {"",
             head(plan, "chat.completion.chunk") +
                 ",\"choices\":[],\"usage\":" + usageObject(plan.usage) + "}"});
    if (plan.fault != Fault::NoDone && plan.fault != Fault::NoFinish)
        events.push_back({"", "[DONE]"});
    return events;
}

std::string jsonAnswer(const Plan& plan, UsageStyle style)
{
    std::string message = "{\"role\":\"assistant\",\"content\":";
    const bool silent = plan.textTokens == 0 && !plan.calls.empty();
    message += silent ? "null" : jsonText(textOf(plan, 0, plan.textTokens));
    if (plan.usage.reasoning > 0)
        message += "," + jsonText(plan.reasoningField) + ":" + jsonText(reasoningOf(plan));
    message += ",\"refusal\":null";
    for (std::size_t index = 0; index < plan.calls.size(); ++index)
        message += (index == 0 ? ",\"tool_calls\":[" : ",") +
                   callObject(plan, index, plan.calls[index].arguments, false);
    message += plan.calls.empty() ? "}" : "]}";
    const std::string finish = plan.fault == Fault::NoFinish ? "null" : jsonText(plan.finishReason);
    std::string body = head(plan, "chat.completion") +
                       ",\"choices\":[{\"index\":0,\"message\":" + message +
                       ",\"logprobs\":null,\"finish_reason\":" + finish + "}]";
    if (style != UsageStyle::Never) body += ",\"usage\":" + usageObject(plan.usage);
    return body + "}";
}

} // namespace weir::fake::openai
