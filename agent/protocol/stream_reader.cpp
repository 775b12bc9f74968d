// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_reader.h"

#include "agent/protocol/answer_json.h"
#include "common/base/text.h"

#include <algorithm>
#include <utility>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

constexpr int kOk = 200;
constexpr std::string_view kDone = "[DONE]";

std::string textOf(const std::optional<Raw>& raw)
{
    return raw ? raw->text().value_or(std::string{raw->bytes}) : std::string{};
}

Failure malformed(std::string message)
{
    Failure failure;
    failure.outcome = Outcome::Malformed;
    failure.error.status = 502;
    failure.error.message = std::move(message);
    return failure;
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

/// What one event says; it counts only when the whole event could be read. Its views point into the
/// parsed copy of the event, which stays until the next one is parsed.
struct StreamReader::Found
{
    bool isError = false;
    bool hasChoices = false;
    Raw type;
    std::string finishReason;
    std::uint64_t seenChoices = 0;
    std::uint64_t finishedChoices = 0;
    Raw blockType;
    UsageCounts counts;
    OutputSeen output;

    error_code readChoice(od::value& choice)
    {
        std::int64_t index = 0;
        std::string finish;
        const auto readField = [&](Raw key, od::value& member) -> error_code {
            if (key.is("index")) index = json::integerIn(member).value_or(0);
            if (key.is("error") && !json::isNull(member)) isError = true;
            if (key.is("finish_reason")) finish = textOf(json::stringIn(member));
            return key.is("delta") ? readOpenAiMessage(member, output) : SUCCESS;
        };
        if (const error_code error = json::eachMember(choice, readField)) return error;
        hasChoices = true;
        const std::uint64_t bit = std::uint64_t{1} << std::clamp<std::int64_t>(index, 0, 63);
        seenChoices |= bit;
        if (finish.empty()) return SUCCESS;
        finishedChoices |= bit;
        finishReason = finish;
        return SUCCESS;
    }

    error_code readOpenAi(Raw key, od::value& member)
    {
        if (key.is("error")) isError = !json::isNull(member);
        if (key.is("object") && json::stringIn(member).value_or(Raw{}).is("error")) isError = true;
        if (key.is("usage")) return readUsage(Protocol::OpenAi, member, counts);
        if (!key.is("choices")) return SUCCESS;
        return json::eachElement(member, [this](od::value& choice) { return readChoice(choice); });
    }

    error_code readAnthropic(Raw key, od::value& member)
    {
        if (key.is("type")) type = json::stringIn(member).value_or(Raw{});
        if (key.is("error")) isError = !json::isNull(member);
        if (key.is("usage")) return readUsage(Protocol::Anthropic, member, counts);
        if (key.is("message")) {
            return json::eachMember(member, [this](Raw name, od::value& field) {
                return name.is("usage") ? readUsage(Protocol::Anthropic, field, counts) : SUCCESS;
            });
        }
        if (!key.is("delta") && !key.is("content_block")) return SUCCESS;
        return json::eachMember(member, [this](Raw name, od::value& field) {
            if (name.is("type")) blockType = json::stringIn(field).value_or(Raw{});
            if (name.is("stop_reason")) finishReason = textOf(json::stringIn(field));
            return readAnthropicBlock(name, field, output);
        });
    }
};

StreamReader::StreamReader(Protocol protocol, Options options)
    : m_protocol(protocol)
    , m_options(options)
    , m_framer(options.lineBytesMax)
{
}

void StreamReader::feed(std::string_view bytes, UtcTime now, std::vector<std::string_view>& relay)
{
    if (m_failure) return;
    m_framer.feed(bytes);
    SseEvent event;
    while (m_framer.next(event)) {
        readEvent(event, now);
        if (m_failure) return;
        if (!m_dropEvent) append(relay, event.raw);
    }
    if (m_framer.overflowed())
        m_failure = malformed("The provider sent an event that is too long.");
}

void StreamReader::atEnd(UtcTime now, std::vector<std::string_view>& relay)
{
    SseEvent event;
    if (m_failure || !m_framer.finish(event)) return;
    const bool isWhole = endsLine(event.raw);
    const bool wasRead = readEvent(event, now);
    // A line without its end may have been cut anywhere; only data that are whole in themselves
    // count.
    const bool isCut = !isWhole && (event.data.empty() || !wasRead);
    if (m_failure || m_dropEvent || isCut) return;
    append(relay, event.raw);
    // The blank line that the server left out: else what may follow, an error event say, would
    // become a part of this one.
    if (!endsBlankLine(event.raw)) relay.push_back(isWhole ? "\n" : "\n\n");
}

TokenUsage StreamReader::usage() const
{
    TokenUsage usage = disjoint(m_protocol, m_counts);
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
    m_dropEvent = false;
    if (event.commentOnly) return true;
    if (event.data.empty()) {
        const std::string_view error = errorLine(event.raw);
        if (!error.empty()) m_failure = classify(kOk, {}, error, now);
        if (isNoEventStream(event.raw)) m_failure = classify(kOk, {}, event.raw, now);
        return true;
    }
    if (trimmed(event.data) == kDone) {
        m_terminated = m_terminated || m_protocol == Protocol::OpenAi;
        return true;
    }
    Found found;
    json::Parser parser;
    od::object object;
    error_code error = parser.openCopied(event.data, object);
    if (!error) {
        error = json::eachMember(object, [&](Raw key, od::value& member) {
            return m_protocol == Protocol::OpenAi ? found.readOpenAi(key, member)
                                                  : found.readAnthropic(key, member);
        });
    }
    const bool isRead = !error && parser.isAtEnd();
    if (event.name == "error" || (isRead && (found.isError || found.type.is("error")))) {
        m_failure = classify(kOk, {}, event.data, now);
    } else if (isRead) {
        apply(found);
    }
    return isRead;
}

void StreamReader::apply(const Found& found)
{
    if (m_protocol == Protocol::OpenAi) {
        applyOpenAi(found);
    } else {
        applyAnthropic(found);
    }
}

void StreamReader::applyOpenAi(const Found& found)
{
    if (found.finishReason == "error") {
        m_failure = Failure{};
        m_failure->error.status = 502;
        m_failure->error.message = "The provider ended the answer with an error.";
        return;
    }
    if (!found.counts.isEmpty()) {
        m_counts = found.counts;
        m_isOutputCounted = m_counts.output.has_value();
        m_dropEvent = m_options.dropUsageChunk && !found.hasChoices;
    }
    noteOutput(found.output);
    m_seenChoices |= found.seenChoices;
    m_finishedChoices |= found.finishedChoices;
    // With n > 1 the answer is complete when the last of its choices is.
    const bool isFinished = found.finishedChoices != 0 && m_finishedChoices == m_seenChoices;
    if (isFinished) m_finishReason = found.finishReason;
}

void StreamReader::applyAnthropic(const Found& found)
{
    if (found.type.is("message_stop")) m_terminated = true;
    m_counts.override(found.counts);
    if (found.type.is("message_delta")) {
        if (found.counts.output) m_isOutputCounted = true;
        if (!found.finishReason.empty()) m_finishReason = found.finishReason;
    }
    OutputSeen output = found.output;
    if (found.type.is("content_block_start")) {
        // A block of text or thinking begins empty; any other (a tool's call or result, redacted
        // thinking) is output by being there.
        output.any = output.any || (!found.blockType.is("text") && !found.blockType.is("thinking"));
    } else if (!found.type.is("content_block_delta")) {
        output = {};
    }
    noteOutput(output);
}

void StreamReader::noteOutput(const OutputSeen& output)
{
    if (!output.any) return;
    m_hasOutput = true;
    ++m_outputEvents;
    m_outputBytes += output.textBytes;
}

} // namespace weir::protocol
