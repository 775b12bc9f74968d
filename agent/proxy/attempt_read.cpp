// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/protocol/answer.h"
#include "agent/protocol/answer_events.h"
#include "agent/protocol/translate_answer.h"
#include "agent/proxy/answer_metadata.h"
#include "agent/proxy/attempt.h"
#include "agent/proxy/unframe.h"
#include "common/base/text.h"

#include <array>

// The half of an attempt that reads: plain functions that are handed bytes and never suspend.

namespace weir::proxy {
namespace {

/// Larger documents are relayed as they come instead of being read whole first.
constexpr std::size_t kDocumentMax = 16UL << 20U;
/// The same for answers that nobody waits for, which are not relayed then but lost.
constexpr std::size_t kUnreadMax = 1UL << 20U;
/// A refusal's body is read this far; more tells nothing.
constexpr std::size_t kRefusalMax = 1UL << 20U;
constexpr std::size_t kFieldsMax = 256;

bool isSuccessStatus(int status)
{
    return status >= 200 && status < 300;
}

bool isEventStream(std::string_view contentType)
{
    constexpr std::string_view kType = "text/event-stream";
    return contentType.size() >= kType.size() &&
           equalsIgnoreCase(contentType.substr(0, kType.size()), kType);
}

} // namespace

Attempt::Next Attempt::onBytes(std::span<char> bytes)
{
    switch (m_kind) {
    case Kind::Head:
        return onHead(bytes);
    case Kind::Document:
        return onDocument(bytes);
    case Kind::Events:
        return onEvents(bytes);
    case Kind::Raw:
        return onRaw(bytes);
    }
    return Next::Done;
}

Attempt::Next Attempt::onHead(std::span<char> bytes)
{
    std::string pieced;
    if (!m_head.empty()) {
        m_head.append(bytes.data(), bytes.size());
        pieced = std::move(m_head);
        m_head.clear();
        bytes = pieced;
    }
    const std::string_view text{bytes.data(), bytes.size()};
    const std::optional<std::size_t> end = m_headEnd.find(text);
    const http::HeadLimits limits{m_context.config.limits.headBytes, kFieldsMax};
    if (!end || *end > limits.bytes) {
        if (text.size() > limits.bytes) return fail(Outcome::Malformed, "its head is too long");
        m_head = text;
        return Next::Read;
    }
    m_headEnd.reset();
    http::ResponseHead& head = m_context.service.responseHead;
    if (const auto error = http::parseResponseHead(text.substr(0, *end), limits, head)) {
        return fail(Outcome::Malformed, describe(*error));
    }
    bytes = bytes.subspan(*end);
    if (head.status < 200) { // An interim answer; the real one follows.
        return bytes.empty() ? Next::Read : onHead(bytes);
    }
    takeHead(head, text.substr(0, *end));
    if (m_kind == Kind::Events && !m_context.facts.stream) {
        return fail(Outcome::Malformed, "an event stream that nobody asked for");
    }
    if (bytes.empty() && !m_body.finished()) return Next::Read;
    return onBytes(bytes);
}

void Attempt::takeHead(const http::ResponseHead& head, std::string_view text)
{
    m_result.httpStatus = head.status;
    m_result.contentType = head.find("content-type").value_or("application/json");
    m_result.passed = passedFields(head);
    m_upstreamKeepAlive = head.keepAlive;
    m_contentLength = head.framing == http::Framing::Length ? head.contentLength : 0;
    m_body = http::BodyReader(head.framing, head.contentLength);
    m_kind = Kind::Document;
    if (m_context.keptTextMax > 0 && isSuccessStatus(head.status)) {
        m_text.emplace(upstreamApi(), m_context.keptTextMax);
    }
    if (isSuccessStatus(head.status) && isEventStream(m_result.contentType)) {
        m_kind = Kind::Events;
        const ProviderConfig& provider = m_route.provider->config;
        protocol::StreamReader::Options options;
        options.dropUsageChunk = m_context.facts.usageEdit && provider.streamOptions;
        options.lineBytesMax = m_context.config.limits.sseLineBytes;
        if (isTranslated()) options.translateTo = m_context.request.protocol;
        options.wantsUsage = m_context.facts.wantsUsage;
        options.resumes = m_context.resumes;
        options.keepsText = m_context.midStream == MidStream::Continue;
        m_reader.emplace(upstreamApi(), options);
    } else if (!isSuccessStatus(head.status)) {
        m_head = text;
    } else if (m_contentLength > 0 && m_contentLength <= kDocumentMax) {
        m_result.answer.reserve(m_contentLength);
    }
}

Attempt::Next Attempt::onDocument(std::span<char> bytes)
{
    const Unframed body = unframe(m_body, bytes);
    m_result.answer.append(body.payload);
    if (body.error) return fail(Outcome::Malformed, describe(*body.error));
    if (body.surplus) m_upstreamKeepAlive = false;
    if (m_body.finished()) return endDocument();
    if (!m_head.empty() && m_result.answer.size() > kRefusalMax) {
        m_upstreamKeepAlive = false;
        return endDocument();
    }
    const bool isRead = m_context.client.hasReader();
    if (m_result.answer.size() <= (isRead ? kDocumentMax : kUnreadMax)) return Next::Read;
    if (isRead && isTranslated())
        return fail(Outcome::Malformed, "its answer is too long to be translated");
    m_kind = Kind::Raw;
    m_result.firstOutput = m_lastByte;
    const bool known = m_contentLength > 0;
    commit(
        known ? ClientAnswer::Framing::Raw : ClientAnswer::Framing::Chunked,
        known ? std::optional{m_contentLength} : std::nullopt);
    const std::array<std::string_view, 1> pieces = {m_result.answer.view()};
    m_context.client.write(pieces, false);
    m_result.answer.release();
    return m_context.client.blocked() ? Next::Flush : Next::Read;
}

Attempt::Next Attempt::onRaw(std::span<char> bytes)
{
    const Unframed body = unframe(m_body, bytes);
    const std::array<std::string_view, 1> pieces = {body.payload};
    m_context.client.write(pieces, m_body.finished());
    if (body.error) return fail(Outcome::StreamBroken, describe(*body.error));
    if (body.surplus) m_upstreamKeepAlive = false;
    if (m_body.finished()) return succeed();
    return m_context.client.blocked() ? Next::Flush : Next::Read;
}

Attempt::Next Attempt::onEnd()
{
    m_upstreamKeepAlive = false;
    const bool whole = !m_body.atEnd();
    if (m_kind == Kind::Events) return endEvents();
    if (m_kind == Kind::Document && whole) return endDocument();
    if (m_kind == Kind::Raw && whole) {
        m_context.client.write({}, true);
        return succeed();
    }
    return onIoError(net::IoError::Reset);
}

Attempt::Next Attempt::endDocument()
{
    const UtcTime now = net::utcNow();
    const int status = m_result.httpStatus.value_or(0);
    if (isSuccessStatus(status)) {
        protocol::AnswerFacts facts =
            protocol::readAnswer(upstreamApi(), m_result.answer.view(), now);
        m_result.usage = facts.usage;
        m_result.finishReason = std::move(facts.finishReason);
        m_result.failure = std::move(facts.failure);
        m_result.outcome = facts.outcome;
        if (m_context.resumes) return fail(Outcome::BadRequest, "the provider did not go on");
        m_result.hasAnswer = !m_result.failure;
        m_result.usage = usageSoFar();
        if (m_text && m_result.hasAnswer) m_text->readDocument(m_result.answer.view());
        if (m_result.hasAnswer) finishAnswer(now);
        m_result.hasAnswer = !m_result.failure;
        if (m_result.hasAnswer) m_result.firstOutput = m_lastByte;
    } else {
        http::ResponseHead& head = m_context.service.responseHead;
        static_cast<void>(
            http::parseResponseHead(m_head, {m_context.config.limits.headBytes, kFieldsMax}, head));
        m_result.failure = protocol::classify(status, head.fields, m_result.answer.view(), now);
        m_result.outcome = m_result.failure->outcome;
        m_result.hasAnswer = true;
    }
    keepUpstream();
    return Next::Done;
}

/// Makes of a good answer what the client is to get: in its protocol, as the stream that it asked
/// for, and with what it wants to know.
void Attempt::finishAnswer(UtcTime now)
{
    const auto replace = [this](std::string_view text) {
        m_result.answer.release();
        m_result.answer.append(text);
    };
    if (isTranslated()) {
        auto translated = protocol::translateAnswer(
            m_route.provider->config.protocol, m_result.answer.view(), now);
        if (!translated) {
            m_result.outcome = translated.error().outcome;
            m_result.failure = std::move(translated.error());
            return;
        }
        replace(*translated);
        m_result.contentType = "application/json";
    }
    const ApiPath path = m_context.request.endpoint;
    const bool isChat = path == ApiPath::ChatCompletions || path == ApiPath::Messages;
    if (isChat && m_context.facts.stream) {
        const auto events = protocol::answerEvents(
            m_context.request.protocol, m_result.answer.view(), m_context.facts.wantsUsage);
        if (events) {
            replace(*events);
            m_result.contentType = "text/event-stream";
        }
    }
    if (!m_context.request.metadata) return;
    std::string text{m_result.answer.view()};
    if (m_result.contentType == "text/event-stream") {
        addMemberToLastEvent(text, metadata());
    } else {
        addMember(text, metadata());
    }
    replace(text);
}

bool Attempt::isTranslated() const
{
    return m_route.provider->config.protocol != m_context.request.protocol;
}

protocol::Api Attempt::upstreamApi() const
{
    return isTranslated() ? protocol::conversationApi(m_route.provider->config.protocol)
                          : apiOf(m_context.request.endpoint);
}

std::string Attempt::metadata() const
{
    const TokenUsage usage = usageSoFar();
    auto cost = costMicroUsd(m_route.config.price, usage);
    if (cost) *cost += m_context.spentMicroUsd;
    return metadataMember(m_context.fields, usage, cost);
}

void Attempt::commit(ClientAnswer::Framing framing, std::optional<std::uint64_t> contentLength)
{
    const bool keepAlive = m_context.request.keepAlive &&
                           (contentLength || m_context.request.versionMinor >= 1) &&
                           !m_context.service.shared().draining.load(std::memory_order_relaxed);
    const AnswerFraming answer{contentLength, m_context.request.versionMinor, keepAlive};
    const bool chunked =
        framing == ClientAnswer::Framing::Chunked && m_context.request.versionMinor >= 1;
    if (m_context.onCommit) m_context.onCommit();
    m_begun = true;
    if (!m_context.resumes) {
        m_context.client.begin(
            answerHead(
                m_result.httpStatus.value_or(200),
                m_result.contentType,
                m_context.fields,
                answer,
                m_result.passed),
            chunked ? ClientAnswer::Framing::Chunked : ClientAnswer::Framing::Raw,
            m_kind == Kind::Events);
    }
    // The route has answered: what counts for its gate is the first output, not the end.
    m_context.flight.firstOutput(m_lastByte);
    // From here on no other route can be asked, so the request need not be kept.
    const bool isKept = m_context.midStream == MidStream::Continue || m_context.keptTextMax > 0;
    if (!isKept) m_context.body.release();
}

} // namespace weir::proxy
