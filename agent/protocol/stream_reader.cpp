// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_reader.h"

#include "agent/protocol/finish_words.h"
#include "agent/protocol/json_view.h"
#include "agent/protocol/stream_event.h"
#include "agent/protocol/stream_translator.h"
#include "common/base/text.h"

#include <algorithm>
#include <utility>

namespace weir::protocol {
namespace {

constexpr int kOk = 200;
constexpr std::string_view kDone = "[DONE]";
constexpr const char* kUnreadable = "The provider sent an event that cannot be read.";
constexpr const char* kBrokenCall =
    "The provider's answer holds a tool call whose arguments are no JSON object.";

Failure malformed(std::string message)
{
    Failure failure;
    failure.outcome = Outcome::Malformed;
    failure.error.status = 502;
    failure.error.message = std::move(message);
    return failure;
}

Failure givenUp()
{
    Failure failure;
    failure.error.status = 502;
    failure.error.message = "The provider ended the answer with an error.";
    return failure;
}

/// An error that stands deeper in an event than a refusal would have it.
Failure classifyInner(std::string_view error, UtcTime now)
{
    return classify(kOk, {}, "{\"error\":" + std::string{error} + "}", now);
}

/// Neighbouring events go out as one piece.
void append(std::vector<std::string_view>& relay, std::string_view piece)
{
    const bool touches =
        !relay.empty() && relay.back().data() + relay.back().size() == piece.data();
    if (touches) {
        relay.back() = {relay.back().data(), relay.back().size() + piece.size()};
    } else {
        relay.push_back(piece);
    }
}

bool endsLine(std::string_view text)
{
    return text.ends_with('\n') || text.ends_with('\r');
}

std::string_view terminatorOf(Api api)
{
    if (api == Api::ChatCompletions) return "data: [DONE]\n\n";
    if (api == Api::Messages) return "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    return {};
}

/// A blank line stands at the end: the event is closed, and a CR there was only held back for the
/// LF that might have followed it.
bool endsBlankLine(std::string_view text)
{
    if (text.ends_with("\r\n")) {
        text.remove_suffix(2);
    } else if (endsLine(text)) {
        text.remove_suffix(1);
    } else {
        return false;
    }
    return text.empty() || endsLine(text);
}

/// The value of an `error:` line: some servers put a refusal there, which no client would see.
std::string_view errorLine(std::string_view raw)
{
    constexpr std::string_view kName = "error:";
    LineEnds ends{raw};
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t end = std::min(ends.next(at), raw.size());
        const std::string_view line = raw.substr(at, end - at);
        if (line.starts_with(kName)) return trimmed(line.substr(kName.size()));
        at = end + 1;
    }
    return {};
}

/// A JSON body or a page under the name of an event stream.
bool isNoEventStream(std::string_view raw)
{
    const std::size_t start = raw.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return start != std::string_view::npos &&
           (raw[start] == '{' || raw[start] == '[' || raw[start] == '<');
}

} // namespace

StreamReader::StreamReader(Api upstream, Options options)
    : m_api(upstream)
    , m_options(options)
    , m_framer(options.lineBytesMax)
{
    if (options.keepsText || options.resumes) m_textSoFar.emplace(upstream);
    const bool isConversation = upstream == Api::ChatCompletions || upstream == Api::Messages;
    if (isConversation &&
        options.translateTo.value_or(protocolOf(upstream)) != protocolOf(upstream)) {
        m_translator = std::make_unique<StreamTranslator>(*options.translateTo, options.wantsUsage);
    }
}

StreamReader::StreamReader(StreamReader&&) noexcept = default;
StreamReader& StreamReader::operator=(StreamReader&&) noexcept = default;
StreamReader::~StreamReader() = default;

void StreamReader::feed(std::string_view bytes, UtcTime now, std::vector<std::string_view>& relay)
{
    if (m_failure) return;
    m_now = now;
    m_translated.clear();
    m_framer.feed(bytes);
    SseEvent event;
    while (!m_failure && m_framer.next(event)) {
        const bool wasRead = readEvent(event, now);
        checkResumption();
        // Left out of a translation it would be missed, and a complete answer lacks nothing.
        const bool isMissed = m_translator && !wasRead && event.data.starts_with('{');
        if (isMissed && !m_failure && !isComplete()) m_failure = malformed(kUnreadable);
        if (!m_failure && !m_dropEvent) append(relay, event.raw);
    }
    if (m_framer.overflowed())
        m_failure = malformed("The provider sent an event that is too long.");
    if (!m_translated.empty()) relay.push_back(m_translated);
}

void StreamReader::atEnd(UtcTime now, std::vector<std::string_view>& relay)
{
    SseEvent event;
    if (m_failure || !m_framer.finish(event)) return;
    m_now = now;
    m_translated.clear();
    const bool isWhole = endsLine(event.raw);
    const bool wasRead = readEvent(event, now);
    if (!m_translated.empty()) relay.push_back(m_translated);
    // A line without its end may have been cut anywhere; only data that are whole in themselves
    // count.
    const bool isCut = !isWhole && (event.data.empty() || !wasRead);
    if (m_failure || m_dropEvent || isCut) return;
    append(relay, event.raw);
    // The blank line that the server left out: else what may follow, an error event say, would
    // become a part of this one.
    if (!endsBlankLine(event.raw)) relay.push_back(isWhole ? "\n" : "\n\n");
}

void StreamReader::finish(std::vector<std::string_view>& relay)
{
    if (m_failure || !isComplete()) return;
    if (!m_translator) {
        if (!m_terminated) append(relay, terminatorOf(m_api));
        return;
    }
    m_ending.clear();
    if (!m_translator->end(usage(), m_now, m_ending)) m_failure = malformed(kBrokenCall);
    if (!m_ending.empty()) relay.push_back(m_ending);
}

TokenUsage StreamReader::usage() const
{
    TokenUsage usage = disjoint(protocolOf(m_api), m_counts);
    if (m_isOutputCounted) return usage;
    // Anthropic's message_start holds a placeholder, not a count.
    usage.output.reset();
    usage.reasoning.reset();
    if (m_outputBytes > 0) {
        usage.output = estimatedTokens(m_outputBytes);
        usage.estimated = true;
    }
    return usage;
}

/// False where the event has data that are nothing known.
bool StreamReader::readEvent(const SseEvent& event, UtcTime now)
{
    // Translated, nothing of the event itself goes on, comments and pings neither.
    m_dropEvent = m_translator != nullptr;
    if (event.commentOnly) return true;
    if (event.data.empty()) {
        const std::string_view error = errorLine(event.raw);
        if (!error.empty()) m_failure = classify(kOk, {}, error, now);
        if (isNoEventStream(event.raw)) m_failure = classify(kOk, {}, event.raw, now);
        return true;
    }
    if (trimmed(event.data) == kDone) {
        m_terminated = m_terminated || m_api == Api::ChatCompletions;
        const bool isLast = m_translator && m_terminated;
        if (isLast && !m_translator->end(usage(), now, m_translated)) {
            m_failure = malformed(kBrokenCall);
        }
        return true;
    }
    std::unique_ptr<char[]> own;
    const std::string_view data = json::paddedCopy(event.data, own);
    const bool hadOutput = m_hasOutput;
    StreamEvent found;
    const bool isRead = readStreamEvent(m_api, data, found);
    if (event.name == "error" || (isRead && (found.isError || found.type.is("error")))) {
        m_failure = found.innerError.empty() ? classify(kOk, {}, event.data, now)
                                             : classifyInner(found.innerError, now);
    } else if (isRead) {
        apply(found, now);
    }
    if (m_textSoFar && isRead) m_textSoFar->read(data);
    if (m_translator && isRead && !m_failure) translate(data, found, now);
    if (m_options.resumes) dropPreamble(hadOutput);
    return isRead;
}

void StreamReader::apply(const StreamEvent& event, UtcTime now)
{
    switch (m_api) {
    case Api::Messages:
        return applyMessages(event);
    case Api::Responses:
        return applyResponses(event, now);
    case Api::ChatCompletions:
    case Api::Embeddings:
        return applyChunk(event);
    }
}

void StreamReader::applyChunk(const StreamEvent& event)
{
    if (endingOf(event.finishReason) == Ending::Failed) {
        m_failure = givenUp();
        return;
    }
    if (!event.counts.isEmpty()) {
        m_counts = event.counts;
        m_isOutputCounted = m_counts.output.has_value();
        if (m_options.dropUsageChunk && !event.hasChoices) m_dropEvent = true;
    }
    noteOutput(event.output);
    m_seenChoices |= event.seenChoices;
    m_finishedChoices |= event.finishedChoices;
    // With n > 1 the answer is complete when the last of its choices is.
    const bool isFinished = event.finishedChoices != 0 && m_finishedChoices == m_seenChoices;
    if (isFinished) m_finishReason = event.finishReason;
}

void StreamReader::applyMessages(const StreamEvent& event)
{
    if (event.type.is("message_stop")) m_terminated = true;
    m_counts.override(event.counts);
    if (event.type.is("message_delta")) {
        if (event.counts.output) m_isOutputCounted = true;
        if (!event.finishReason.empty()) m_finishReason = event.finishReason;
    }
    OutputSeen output = event.output;
    if (event.type.is("content_block_start")) {
        // A block of text or thinking begins empty; any other (a tool's call or result, redacted
        // thinking) is output by being there.
        output.any = output.any || (!event.blockType.is("text") && !event.blockType.is("thinking"));
    } else if (!event.type.is("content_block_delta") && !event.type.is("message_start")) {
        output = {};
    }
    noteOutput(output);
}

void StreamReader::applyResponses(const StreamEvent& event, UtcTime now)
{
    constexpr std::string_view kDelta = ".delta";
    if (event.type.is("response.failed")) {
        m_failure = event.innerError.empty() ? givenUp() : classifyInner(event.innerError, now);
        return;
    }
    if (event.type.is("response.completed") || event.type.is("response.incomplete")) {
        m_terminated = true;
        m_finishReason = event.finishReason;
        m_counts = event.counts;
        m_isOutputCounted = m_counts.output.has_value();
        return;
    }
    OutputSeen output = event.output;
    const bool isItem =
        event.type.is("response.output_item.added") || event.type.is("response.output_item.done");
    // An item repeats what its deltas said.
    if (isItem) output.textBytes = 0;
    if (isItem || event.type.bytes.ends_with(kDelta)) noteOutput(output);
}

/// What an event says in the client's protocol.
void StreamReader::translate(std::string_view padded, const StreamEvent& event, UtcTime now)
{
    if (!m_translator->read(padded, event, m_counts, now, m_translated)) {
        m_failure = malformed(m_translator->hasBrokenCall() ? kBrokenCall : kUnreadable);
        return;
    }
    const bool isUsageBehind =
        m_api == Api::ChatCompletions && isComplete() && event.finishReason.empty();
    const bool isLast = m_terminated || (isUsageBehind && !event.counts.isEmpty());
    if (isLast && !m_translator->end(usage(), now, m_translated)) {
        m_failure = malformed(kBrokenCall);
    }
}

/// It was asked for something unusual: that it did not do it is no fault of the provider's.
void StreamReader::checkResumption()
{
    if (!m_options.resumes || m_failure || m_isResumed) return;
    if (m_hasOutput && !m_textSoFar->isMixed()) {
        m_isResumed = true;
    } else if (m_hasOutput || isComplete()) {
        m_failure = malformed("The provider did not go on from the text.");
        m_failure->outcome = Outcome::BadRequest;
    }
}

/// Of a stream that resumes another the client gets what begins with its first piece of text; if
/// it begins with anything else, it does not go on from there.
void StreamReader::dropPreamble(bool hadOutput)
{
    if (hadOutput) return;
    if (!m_hasOutput) {
        m_dropEvent = true;
        m_translated.clear();
    } else if (m_translator) {
        m_translated.erase(0, outputStart(conversationApi(*m_options.translateTo), m_translated));
    }
}

std::optional<std::string> StreamReader::textSoFar() const
{
    if (!m_textSoFar || m_textSoFar->isMixed()) return std::nullopt;
    return m_textSoFar->text();
}

void StreamReader::noteOutput(const OutputSeen& output)
{
    if (!output.any) return;
    m_hasOutput = true;
    ++m_outputEvents;
    m_outputBytes += output.textBytes;
}

} // namespace weir::protocol
