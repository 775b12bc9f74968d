// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"

#include "agent/protocol/answer_json.h"
#include "agent/protocol/finish_words.h"

#include <utility>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

constexpr int kOk = 200;

/// What a walk over an answer's members finds.
struct Found
{
    bool isError = false;
    /// A choice with a message, or Anthropic's list of content.
    bool hasAnswer = false;
    std::string finishReason;
    UsageCounts counts;
    OutputSeen output;
};

void takeFinish(od::value& value, std::string& finishReason)
{
    const auto raw = json::stringIn(value);
    if (raw && !raw->bytes.empty()) finishReason = raw->text().value_or(std::string{raw->bytes});
}

error_code readChoice(od::value& choice, Found& found)
{
    return json::eachMember(choice, [&found](Raw key, od::value& member) -> error_code {
        if (key.is("finish_reason")) takeFinish(member, found.finishReason);
        if (key.is("error") && !json::isNull(member)) found.isError = true;
        if (!key.is("message") || json::typeOf(member) != od::json_type::object) return SUCCESS;
        found.hasAnswer = true;
        return readOpenAiMessage(member, found.output);
    });
}

error_code readBlock(od::value& block, Found& found)
{
    return json::eachMember(block, [&found](Raw key, od::value& member) -> error_code {
        if (key.is("input") && json::typeOf(member) == od::json_type::object) {
            std::string_view whole;
            if (const error_code error = json::wholeOf(member).get(whole)) return error;
            found.output.textBytes += static_cast<std::int64_t>(whole.size());
            return SUCCESS;
        }
        return readAnthropicBlock(key, member, found.output);
    });
}

error_code readChatMember(Raw key, od::value& member, Found& found)
{
    if (!key.is("choices")) return SUCCESS;
    return json::eachElement(
        member, [&found](od::value& choice) { return readChoice(choice, found); });
}

error_code readMessagesMember(Raw key, od::value& member, Found& found)
{
    if (key.is("stop_reason")) takeFinish(member, found.finishReason);
    if (!key.is("content")) return SUCCESS;
    found.hasAnswer = json::typeOf(member) == od::json_type::array;
    return json::eachElement(
        member, [&found](od::value& block) { return readBlock(block, found); });
}

error_code readResponsesMember(Raw key, od::value& member, Found& found)
{
    if (!key.is("output")) return readResponsesStatus(key, member, found.finishReason);
    found.hasAnswer = json::typeOf(member) == od::json_type::array;
    return json::eachElement(
        member, [&found](od::value& item) { return readResponsesItem(item, found.output); });
}

error_code readMember(Api api, Raw key, od::value& member, Found& found)
{
    if (key.is("error") && !json::isNull(member)) found.isError = true;
    if (key.is("usage")) return readUsage(api, member, found.counts);
    switch (api) {
    case Api::ChatCompletions:
        return readChatMember(key, member, found);
    case Api::Messages:
        return readMessagesMember(key, member, found);
    case Api::Responses:
        return readResponsesMember(key, member, found);
    case Api::Embeddings:
        break;
    }
    if (key.is("data")) found.hasAnswer = json::typeOf(member) == od::json_type::array;
    return SUCCESS;
}

TokenUsage usageOf(Api api, const Found& found)
{
    TokenUsage usage = disjoint(protocolOf(api), found.counts);
    if (api == Api::Embeddings) usage.output = 0;
    if (!usage.output && found.output.textBytes > 0) {
        usage.output = estimatedTokens(found.output.textBytes);
        usage.estimated = true;
    }
    return usage;
}

} // namespace

Outcome outcomeOfFinish(std::string_view finishReason)
{
    switch (endingOf(finishReason)) {
    case Ending::Length:
        return Outcome::Length;
    case Ending::ContentFilter:
        return Outcome::Refused;
    case Ending::Failed:
        return Outcome::ServerError;
    case Ending::Stop:
    case Ending::StopSequence:
    case Ending::ToolCalls:
        break;
    }
    return Outcome::Ok;
}

AnswerFacts readAnswer(Api api, std::string_view body, UtcTime now)
{
    AnswerFacts facts;
    Found found;
    json::Parser parser;
    od::object object;
    error_code error = parser.openPadded(body, object);
    if (!error) {
        error = json::eachMember(object, [&](Raw key, od::value& member) {
            return readMember(api, key, member, found);
        });
    }
    const bool isBroken = error || !parser.isAtEnd();
    if (isBroken || found.isError || !found.hasAnswer) {
        facts.failure = classify(kOk, {}, body, now);
        facts.outcome = facts.failure->outcome;
        return facts;
    }
    facts.finishReason = std::move(found.finishReason);
    facts.outcome = outcomeOfFinish(facts.finishReason);
    facts.usage = usageOf(api, found);
    if (facts.outcome == Outcome::ServerError) {
        facts.failure = Failure{};
        facts.failure->error.status = 502;
        facts.failure->error.message = "The provider ended the answer with an error.";
    }
    return facts;
}

} // namespace weir::protocol
