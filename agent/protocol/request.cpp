// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/request.h"

#include "agent/protocol/json_view.h"
#include "agent/protocol/length_limits.h"
#include "agent/protocol/prompt_reader.h"
#include "agent/protocol/row.h"

#include <algorithm>
#include <utility>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

ApiError badRequest(std::string message, std::string param = {})
{
    ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.message = std::move(message);
    error.param = std::move(param);
    return error;
}

class RequestReader final
{
public:
    RequestReader(Api api, std::string_view body)
        : m_api(api)
        , m_body(body)
        , m_prompt(api, body)
    {
    }

    Result<RequestFacts, ApiError> read();

    void keepTexts(std::vector<std::string_view>& texts) { m_prompt.keepTexts(texts); }

private:
    error_code readMember(Raw key, od::value& value);
    error_code readHint(Raw key, od::value& value);
    error_code readThinking(od::value& value);
    error_code readNeeds(Raw key, od::value& value);
    error_code readFormat(od::value& value);
    error_code readModel(od::value& value);
    error_code readStream(od::value& value);
    error_code readStreamOptions(od::value& value);
    error_code readMaxTokens(Raw key, od::value& value);
    error_code readPrompt(od::value& value);
    error_code readForeign(Raw key, od::value& value);
    error_code readThread(od::value& value);

    error_code refuse(std::string_view param, std::string_view expected);
    [[nodiscard]] std::string_view promptName() const;
    [[nodiscard]] Span spanOf(std::string_view piece) const;
    void finishModel();
    void finishUsage();

    Api m_api;
    std::string_view m_body;
    RequestFacts m_facts;
    std::optional<ApiError> m_refusal;
    PromptReader m_prompt;
    std::string m_cacheKey;
    std::optional<Edit> m_streamOptionsEdit;
    std::optional<Span> m_manualThinking;
    Row m_members;
    LengthLimits m_limits;
    bool m_hasPrompt = false;
    /// The provider keeps what the request goes on with.
    bool m_isContinued = false;
};

Result<RequestFacts, ApiError> RequestReader::read()
{
    json::Parser parser;
    od::object object;
    error_code error = parser.openPadded(m_body, object);
    if (error == simdjson::INCORRECT_TYPE) {
        return tl::unexpected(badRequest("The request body must be a JSON object."));
    }
    m_facts.membersAt = std::min(m_body.find('{'), m_body.size() - 1) + 1;
    if (!error) {
        error = json::eachMember(
            object, [this](Raw key, od::value& value) { return readMember(key, value); });
    }
    if (m_refusal) return tl::unexpected(*m_refusal);
    if (error || !parser.isAtEnd()) {
        return tl::unexpected(badRequest("The request body is not valid JSON."));
    }
    if (!m_hasPrompt) {
        const std::string name{promptName()};
        return tl::unexpected(badRequest("Missing required parameter: '" + name + "'.", name));
    }
    if (m_api == Api::ChatCompletions) m_limits.settle(m_members, m_facts);
    m_facts.hasMembers = m_members.keepsAny();
    m_members.appendRemovals(m_body, m_facts.removals);
    m_prompt.appendRemovals(m_facts.removals);
    if (m_manualThinking && m_prompt.cutsTurn()) {
        m_facts.thinkingEdit = Edit{*m_manualThinking, R"({"type":"disabled"})"};
    }
    finishModel();
    finishUsage();
    m_facts.needs.images = m_prompt.hasImages();
    m_facts.singleShot = m_isContinued || m_prompt.hasIssuersState();
    m_facts.promptHash = m_prompt.hash();
    m_facts.shape = m_prompt.shape();
    if (m_facts.conversationHint.empty()) m_facts.conversationHint = std::move(m_cacheKey);
    return std::move(m_facts);
}

std::string_view RequestReader::promptName() const
{
    return m_api == Api::Responses || m_api == Api::Embeddings ? "input" : "messages";
}

error_code RequestReader::readMember(Raw key, od::value& value)
{
    if (key.is("provider") || key.is("models")) return readForeign(key, value);
    if (key.is(kMaxTokens) || key.is(kMaxCompletionTokens)) return readMaxTokens(key, value);
    m_members.add();
    if (key.is("model")) return readModel(value);
    if (key.is(promptName())) return readPrompt(value);
    if (m_api == Api::Embeddings) return SUCCESS;
    if (key.is("stream")) return readStream(value);
    if (key.is("stream_options")) return readStreamOptions(value);
    if (key.is("session_id") || key.is("prompt_cache_key")) return readHint(key, value);
    if (m_api == Api::Responses) {
        if (key.is("instructions")) return m_prompt.readSystem(value);
        if (key.is("max_output_tokens")) m_facts.maxTokens = json::integerIn(value);
        if (key.is("previous_response_id") || key.is("conversation")) {
            m_isContinued = m_isContinued || !json::isNull(value);
        }
    }
    if (key.is("system") && m_api == Api::Messages) return m_prompt.readSystem(value);
    if (key.is("thread") && m_api == Api::Messages) return readThread(value);
    if (key.is("thinking") && m_api == Api::Messages) return readThinking(value);
    return readNeeds(key, value);
}

/// Keeps the place where thinking is turned on by hand (`adaptive` needs no block to begin with).
error_code RequestReader::readThinking(od::value& value)
{
    m_manualThinking.reset();
    if (json::typeOf(value) != od::json_type::object) return SUCCESS;
    od::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    bool isManual = false;
    const auto read = [&isManual](Raw key, od::value& member) -> error_code {
        if (key.is("type")) isManual = json::stringIn(member).value_or(Raw{}).is("enabled");
        return SUCCESS;
    };
    if (const error_code error = json::eachMember(object, read)) return error;
    std::string_view whole;
    if (const error_code error = object.raw_json().get(whole)) return error;
    if (isManual) m_manualThinking = spanOf(json::withoutBlanks(whole));
    return SUCCESS;
}

error_code RequestReader::readHint(Raw key, od::value& value)
{
    const auto raw = json::stringIn(value);
    std::string& target = key.is("session_id") ? m_facts.conversationHint : m_cacheKey;
    if (raw) target = raw->text().value_or(std::string{});
    return SUCCESS;
}

error_code RequestReader::readMaxTokens(Raw key, od::value& value)
{
    LengthLimits::Given given;
    given.word = key.is(kMaxTokens) ? kMaxTokens : kMaxCompletionTokens;
    given.name = {spanOf(key.bytes).at - 1, key.bytes.size() + 2};
    given.isNull = json::isNull(value);
    given.count = json::integerIn(value);
    std::string_view whole;
    if (const error_code error = json::wholeOf(value).get(whole)) return error;
    given.value = spanOf(whole);
    const std::size_t end = given.value.at + given.value.size;
    given.member = m_members.add({given.name.at, end - given.name.at});
    m_limits.add(given);
    if (given.count && m_api != Api::Responses && m_api != Api::Embeddings) {
        m_facts.maxTokens = std::min(*given.count, m_facts.maxTokens.value_or(*given.count));
    }
    return SUCCESS;
}

error_code RequestReader::readNeeds(Raw key, od::value& value)
{
    if (key.is("tools") || key.is("functions")) {
        return json::eachElement(value, [this](od::value& tool) {
            m_facts.needs.tools = true;
            return m_prompt.addTools(tool);
        });
    }
    if (key.is("response_format") || key.is("output_format")) return readFormat(value);
    if (key.is("text") && m_api == Api::Responses) {
        return json::eachMember(value, [this](Raw name, od::value& member) {
            return name.is("format") ? readFormat(member) : SUCCESS;
        });
    }
    if (key.is("output_config")) {
        return json::eachMember(value, [this](Raw name, od::value& member) {
            if (name.is("format") && json::typeOf(member) == od::json_type::object) {
                m_facts.needs.jsonSchema = true;
            }
            return SUCCESS;
        });
    }
    return SUCCESS;
}

error_code RequestReader::readFormat(od::value& value)
{
    return json::eachMember(value, [this](Raw name, od::value& member) {
        const auto type = name.is("type") ? json::stringIn(member) : std::nullopt;
        if (type && (type->is("json_schema") || type->is("json_object"))) {
            m_facts.needs.jsonSchema = true;
        }
        return SUCCESS;
    });
}

error_code RequestReader::readModel(od::value& value)
{
    const auto raw = json::stringIn(value);
    const auto name = raw ? raw->text() : std::nullopt;
    if (!name) return refuse("model", "a string");
    m_facts.model = *name;
    m_facts.modelValues.push_back({spanOf(raw->bytes).at - 1, raw->bytes.size() + 2});
    return SUCCESS;
}

error_code RequestReader::readStream(od::value& value)
{
    if (json::isNull(value)) {
        m_facts.stream = false;
        return SUCCESS;
    }
    bool stream = false;
    if (value.get_bool().get(stream)) return refuse("stream", "a boolean");
    m_facts.stream = stream;
    return SUCCESS;
}

error_code RequestReader::readStreamOptions(od::value& value)
{
    m_facts.wantsUsage = false;
    m_streamOptionsEdit.reset();
    const auto type = json::typeOf(value);
    if (type != od::json_type::object) {
        std::string_view whole;
        if (const error_code error = json::wholeOf(value).get(whole)) return error;
        m_facts.streamOptionsValue = spanOf(whole);
        if (whole == "null") {
            m_streamOptionsEdit = Edit{spanOf(whole), R"({"include_usage":true})"};
        }
        return SUCCESS;
    }
    const std::size_t start = spanOf(value.raw_json_token()).at;
    std::size_t end = start + 1;
    std::optional<Span> asked;
    bool canReplace = false;
    od::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    const auto readOption = [&](Raw key, od::value& option) -> error_code {
        std::string_view whole;
        if (const error_code error = json::wholeOf(option).get(whole)) return error;
        const Span span = spanOf(whole);
        end = span.at + span.size;
        if (!key.is("include_usage")) return SUCCESS;
        asked = span;
        m_facts.wantsUsage = whole == "true";
        canReplace = whole == "false" || whole == "null";
        return SUCCESS;
    };
    if (const error_code error = json::eachMember(object, readOption)) return error;
    const bool isEmpty = end == start + 1;
    m_facts.streamOptionsValue = Span{start, m_body.find('}', end) + 1 - start};
    if (!asked) {
        m_streamOptionsEdit =
            Edit{{start + 1, 0}, isEmpty ? R"("include_usage":true)" : R"("include_usage":true,)"};
    } else if (canReplace) {
        m_streamOptionsEdit = Edit{*asked, "true"};
    }
    return SUCCESS;
}

error_code RequestReader::readPrompt(od::value& value)
{
    m_hasPrompt = true;
    if (m_api == Api::Embeddings) return m_prompt.readWhole(value);
    if (m_api == Api::Responses && json::stringIn(value)) return m_prompt.readWhole(value);
    const bool isChat = m_api != Api::Responses;
    if (json::typeOf(value) != od::json_type::array) {
        return refuse(promptName(), isChat ? "an array" : "a string or an array");
    }
    const error_code error = m_prompt.readMessages(value);
    return m_prompt.hasBadMessage() ? refuse(promptName(), "an array of objects") : error;
}

error_code RequestReader::readForeign(Raw key, od::value& value)
{
    std::string_view whole;
    if (const error_code error = json::wholeOf(value).get(whole)) return error;
    const std::size_t from = spanOf(key.bytes).at - 1;
    const Span valueSpan = spanOf(whole);
    m_members.remove(m_members.add({from, valueSpan.at + valueSpan.size - from}));
    auto read = key.is("provider") ? readProviderWishes(whole, m_facts.wishes)
                                   : readModelWishes(whole, m_facts.wishes);
    if (read) return SUCCESS;
    m_refusal = std::move(read.error());
    return simdjson::INCORRECT_TYPE;
}

/// A conversation that one provider holds cannot go on with another. Anthropic's SDKs, whose tool
/// runners ask for it unless told not to, know the error code and send the whole history instead.
error_code RequestReader::readThread(od::value& value)
{
    if (json::isNull(value)) return SUCCESS;
    m_refusal = badRequest(
        "'thread' is not served here: each request may go to another provider, so none can hold "
        "the conversation. Send it whole, without 'thread'.",
        "thread");
    m_refusal->anthropicCode = "thread_unsupported_request";
    return simdjson::INCORRECT_TYPE;
}

error_code RequestReader::refuse(std::string_view param, std::string_view expected)
{
    m_refusal = badRequest(
        "Invalid type for '" + std::string{param} + "': expected " + std::string{expected} + ".",
        std::string{param});
    return simdjson::INCORRECT_TYPE;
}

Span RequestReader::spanOf(std::string_view piece) const
{
    return {static_cast<std::size_t>(piece.data() - m_body.data()), piece.size()};
}

void RequestReader::finishModel()
{
    using Suffix = std::pair<std::string_view, std::string_view>;
    for (const auto& [suffix, sort] : {Suffix{":floor", "price"}, Suffix{":nitro", "speed"}}) {
        if (!m_facts.model.ends_with(suffix)) continue;
        m_facts.model.resize(m_facts.model.size() - suffix.size());
        m_facts.sortSuffix = sort;
        return;
    }
}

void RequestReader::finishUsage()
{
    if (m_api != Api::ChatCompletions || !m_facts.stream || m_facts.wantsUsage) return;
    if (m_facts.streamOptionsValue) {
        m_facts.usageEdit = m_streamOptionsEdit;
        return;
    }
    m_facts.usageEdit = Edit{
        {m_facts.membersAt, 0},
        m_facts.hasMembers ? R"("stream_options":{"include_usage":true},)"
                           : R"("stream_options":{"include_usage":true})"};
}

} // namespace

Result<RequestFacts, ApiError> readRequest(Api api, std::string_view body)
{
    return RequestReader{api, body}.read();
}

std::vector<std::string_view> promptTexts(Api api, std::string_view body)
{
    std::vector<std::string_view> texts;
    RequestReader reader{api, body};
    reader.keepTexts(texts);
    if (!reader.read()) texts.clear();
    return texts;
}

} // namespace weir::protocol
