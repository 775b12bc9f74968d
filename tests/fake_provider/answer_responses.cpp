// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/answer_responses.h"

namespace weir::fake::responses {

namespace {

std::string number(std::uint64_t value)
{
    return std::to_string(value);
}

std::string idOf(const Plan& plan, std::string_view kind, std::size_t index)
{
    return std::string(kind) + "_fake_" + number(plan.number) + "_" + std::to_string(index);
}

Event event(const std::string& type, const std::string& members)
{
    return {type, "{\"type\":\"" + type + "\"," + members + "}"};
}

/// The place of an item in the output: reasoning, then the message, then the calls.
std::size_t messageIndex(const Plan& plan)
{
    return plan.usage.reasoning > 0 ? 1 : 0;
}

std::size_t callIndex(const Plan& plan, std::size_t call)
{
    return messageIndex(plan) + (plan.textTokens > 0 ? 1 : 0) + call;
}

std::string summaryPart(const std::string& text)
{
    return "{\"type\":\"summary_text\",\"text\":" + jsonText(text) + "}";
}

std::string reasoningItem(const Plan& plan, bool done)
{
    std::string item = "{\"id\":\"" + idOf(plan, "rs", 0) + "\",\"type\":\"reasoning\"";
    if (plan.encryptedReasoning)
        item += ",\"encrypted_content\":" +
                (done ? jsonText(signatureOf(reasoningOf(plan), plan.issuer)) : "\"\"");
    return item + ",\"summary\":[" + (done ? summaryPart(reasoningOf(plan)) : "") + "]}";
}

std::string textPart(const std::string& text)
{
    return "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":" +
           jsonText(text) + "}";
}

std::string messageItem(const Plan& plan, bool done)
{
    const std::string_view status = !done                           ? "in_progress"
                                    : plan.finishReason == "length" ? "incomplete"
                                                                    : "completed";
    return "{\"id\":\"" + idOf(plan, "msg", messageIndex(plan)) +
           "\",\"type\":\"message\",\"status\":\"" + std::string(status) +
           "\",\"role\":\"assistant\",\"content\":[" +
           (done ? textPart(textOf(plan, 0, plan.textTokens)) : "") + "]}";
}

std::string callItem(const Plan& plan, std::size_t call, bool done)
{
    return "{\"id\":\"" + idOf(plan, "fc", callIndex(plan, call)) +
           "\",\"type\":\"function_call\",\"status\":\"" + (done ? "completed" : "in_progress") +
           "\",\"call_id\":\"" + idOf(plan, "call", call) +
           "\",\"name\":" + jsonText(plan.calls[call].name) +
           ",\"arguments\":" + (done ? jsonText(plan.calls[call].arguments) : "\"\"") + "}";
}

std::string usageObject(const Usage& usage)
{
    return "{\"input_tokens\":" + number(usage.input) +
           ",\"input_tokens_details\":{\"cached_tokens\":" + number(usage.cached) +
           ",\"cache_write_tokens\":" + number(usage.created) +
           "},\"output_tokens\":" + number(usage.output) +
           ",\"output_tokens_details\":{\"reasoning_tokens\":" + number(usage.reasoning) +
           "},\"total_tokens\":" + number(usage.input + usage.output) + "}";
}

/// The response as it stands at its beginning, or with all that came of it.
std::string responseObject(const Plan& plan, bool done)
{
    const bool cut = plan.finishReason == "length" || plan.finishReason == "content_filter";
    const std::string_view status = !done ? "in_progress" : cut ? "incomplete" : "completed";
    std::string output;
    const auto add = [&output](const std::string& item) {
        output += (output.empty() ? "" : ",") + item;
    };
    if (done && plan.usage.reasoning > 0) add(reasoningItem(plan, true));
    if (done && plan.textTokens > 0) add(messageItem(plan, true));
    for (std::size_t call = 0; done && call < plan.calls.size(); ++call)
        add(callItem(plan, call, true));
    const std::string_view why =
        plan.finishReason == "length" ? "max_output_tokens" : "content_filter";
    return "{\"id\":\"resp_fake_" + number(plan.number) +
           "\",\"object\":\"response\",\"created_at\":" + number(1'700'000'000 + plan.number) +
           ",\"status\":\"" + std::string(status) +
           "\",\"background\":false,\"error\":null,\"incomplete_details\":" +
           (done && cut ? "{\"reason\":\"" + std::string(why) + "\"}" : "null") +
           ",\"instructions\":null,\"max_output_tokens\":null,\"model\":" + jsonText(plan.model) +
           ",\"output\":[" + output +
           "],\"parallel_tool_calls\":true,\"previous_response_id\":null,\"store\":false,"
           "\"temperature\":1.0,\"text\":{\"format\":{\"type\":\"text\"}},\"tool_choice\":\"auto\","
           "\"tools\":[],\"top_p\":1.0,\"truncation\":\"disabled\",\"usage\":" +
           (done ? usageObject(plan.usage) : "null") + ",\"user\":null,\"metadata\":{}}";
}

std::string itemMembers(std::size_t index, const std::string& item)
{
    return "\"output_index\":" + std::to_string(index) + ",\"item\":" + item;
}

/// Where inside the output a piece belongs.
std::string placeMembers(const std::string& id, std::size_t index, std::string_view within)
{
    return "\"item_id\":\"" + id + "\",\"output_index\":" + std::to_string(index) + ",\"" +
           std::string(within) + "\":0";
}

void addReasoning(const Plan& plan, std::vector<Event>& events)
{
    const std::string place = placeMembers(idOf(plan, "rs", 0), 0, "summary_index");
    const std::string whole = jsonText(reasoningOf(plan));
    events.push_back(
        event("response.output_item.added", itemMembers(0, reasoningItem(plan, false))));
    events.push_back(
        event("response.reasoning_summary_part.added", place + ",\"part\":" + summaryPart("")));
    for (std::uint64_t at = 0; at < plan.usage.reasoning; ++at)
        events.push_back(event(
            "response.reasoning_summary_text.delta",
            place + ",\"delta\":" + jsonText(kReasoningToken)));
    events.push_back(event("response.reasoning_summary_text.done", place + ",\"text\":" + whole));
    events.push_back(event(
        "response.reasoning_summary_part.done",
        place + ",\"part\":" + summaryPart(reasoningOf(plan))));
    events.push_back(event("response.output_item.done", itemMembers(0, reasoningItem(plan, true))));
}

std::string textPlace(const Plan& plan)
{
    const std::size_t index = messageIndex(plan);
    return placeMembers(idOf(plan, "msg", index), index, "content_index");
}

void addCall(const Plan& plan, std::size_t call, std::vector<Event>& events)
{
    const std::size_t index = callIndex(plan, call);
    const std::string place =
        "\"item_id\":\"" + idOf(plan, "fc", index) + "\",\"output_index\":" + std::to_string(index);
    const std::string& arguments = plan.calls[call].arguments;
    events.push_back(
        event("response.output_item.added", itemMembers(index, callItem(plan, call, false))));
    for (const std::string_view part : halvesOf(arguments))
        events.push_back(event(
            "response.function_call_arguments.delta", place + ",\"delta\":" + jsonText(part)));
    events.push_back(event(
        "response.function_call_arguments.done", place + ",\"arguments\":" + jsonText(arguments)));
    events.push_back(
        event("response.output_item.done", itemMembers(index, callItem(plan, call, true))));
}

} // namespace

std::vector<Event> openingEvents(const Plan& plan)
{
    const std::string response = "\"response\":" + responseObject(plan, false);
    std::vector<Event> events{
        event("response.created", response), event("response.in_progress", response)};
    if (plan.usage.reasoning > 0) addReasoning(plan, events);
    if (plan.textTokens > 0) {
        events.push_back(event(
            "response.output_item.added",
            itemMembers(messageIndex(plan), messageItem(plan, false))));
        events.push_back(
            event("response.content_part.added", textPlace(plan) + ",\"part\":" + textPart("")));
    }
    return events;
}

Event textEvent(const Plan& plan, std::string_view text)
{
    return event(
        "response.output_text.delta",
        textPlace(plan) + ",\"delta\":" + jsonText(text) + ",\"logprobs\":[]");
}

std::vector<Event> closingEvents(const Plan& plan)
{
    std::vector<Event> events;
    if (plan.textTokens > 0) {
        const std::string text = textOf(plan, 0, plan.textTokens);
        events.push_back(event(
            "response.output_text.done",
            textPlace(plan) + ",\"text\":" + jsonText(text) + ",\"logprobs\":[]"));
        events.push_back(
            event("response.content_part.done", textPlace(plan) + ",\"part\":" + textPart(text)));
        events.push_back(event(
            "response.output_item.done", itemMembers(messageIndex(plan), messageItem(plan, true))));
    }
    for (std::size_t call = 0; call < plan.calls.size(); ++call)
        addCall(plan, call, events);
    // The one event that ends a stream carries finish and usage too.
    if (plan.fault == Fault::NoDone || plan.fault == Fault::NoFinish) return events;
    const bool cut = plan.finishReason == "length" || plan.finishReason == "content_filter";
    events.push_back(event(
        cut ? "response.incomplete" : "response.completed",
        "\"response\":" + responseObject(plan, true)));
    return events;
}

Event errorEvent(const std::optional<std::string>& object)
{
    if (object) return {"error", *object};
    return event("error", R"("code":"server_error","message":"Overloaded","param":null)");
}

std::string jsonAnswer(const Plan& plan)
{
    return responseObject(plan, true);
}

} // namespace weir::fake::responses
