// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/classify.h"
#include "agent/protocol/sse.h"
#include "agent/protocol/text_so_far.h"
#include "agent/protocol/usage.h"
#include "common/base/time.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

class StreamTranslator;
struct StreamEvent;

/// Reads an answer that streams, while it is relayed: where output begins (the commit point), how
/// the answer ended, what it used. One per attempt, on the attempt's worker thread.
class StreamReader final
{
public:
    struct Options
    {
        /// Drop the usage-only chunk, which the client did not ask for.
        bool dropUsageChunk = false;
        std::size_t lineBytesMax = 16777216;
        /// The client's protocol where it is not the upstream's.
        std::optional<Protocol> translateTo = std::nullopt;
        /// A translated OpenAI stream gets a usage chunk, which the client asked for.
        bool wantsUsage = false;
        /// The client has the beginning from another stream: no preamble is relayed.
        bool resumes = false;
        /// Keep the text, so that another stream may resume this one.
        bool keepsText = false;
    };

    StreamReader(Api upstream, Options options);

    StreamReader(StreamReader&&) noexcept;
    StreamReader& operator=(StreamReader&&) noexcept;
    ~StreamReader();

    /// Appends to `relay` what the client is to get of these bytes, as views good until the next
    /// `feed()`: whole events as they came, or translated ones. Stops at a failure.
    void feed(std::string_view bytes, UtcTime now, std::vector<std::string_view>& relay);

    /// The upstream's body ended, properly or not. What is left of an unfinished last event counts
    /// as an event where its line is whole (a server may leave out the last blank line).
    void atEnd(UtcTime now, std::vector<std::string_view>& relay);

    /// The answer is complete and no more will be fed. Appends what the stream lacks: the client's
    /// terminator comes exactly once, here or where the upstream's was (wire cases B062, B065).
    void finish(std::vector<std::string_view>& relay);

    /// Text, reasoning or a piece of a tool call has been seen: from here on there is no failover.
    [[nodiscard]] bool hasOutput() const { return m_hasOutput; }

    /// A finish reason was seen: the answer is complete, only usage and the terminator may follow.
    [[nodiscard]] bool hasFinish() const { return !m_finishReason.empty(); }

    [[nodiscard]] bool isTerminated() const { return m_terminated; }

    /// Complete (wire cases B057, B064): finish reason or terminator.
    [[nodiscard]] bool isComplete() const { return hasFinish() || m_terminated; }

    /// An error event, a line that is too long, or bytes that are no event stream.
    [[nodiscard]] const std::optional<Failure>& failure() const { return m_failure; }

    /// The provider's last word; without one the output is estimated and marked, the input unknown.
    [[nodiscard]] TokenUsage usage() const;

    [[nodiscard]] const std::string& finishReason() const { return m_finishReason; }

    /// See `TextSoFar`; nothing where the answer is more than that. Only with `Options::keepsText`.
    [[nodiscard]] std::optional<std::string> textSoFar() const;

    [[nodiscard]] std::int64_t outputEvents() const { return m_outputEvents; }

private:
    bool readEvent(const SseEvent& event, UtcTime now);
    void apply(const StreamEvent& event, UtcTime now);
    void applyChunk(const StreamEvent& event);
    void applyMessages(const StreamEvent& event);
    void applyResponses(const StreamEvent& event, UtcTime now);
    void noteOutput(const OutputSeen& output);
    void translate(std::string_view padded, const StreamEvent& event, UtcTime now);
    void dropPreamble(bool hadOutput);
    void checkResumption();

    Api m_api;
    Options m_options;
    SseFramer m_framer;
    UsageCounts m_counts;
    std::string m_finishReason;
    std::optional<Failure> m_failure;
    std::int64_t m_outputEvents = 0;
    std::int64_t m_outputBytes = 0;
    /// One bit a choice, by index.
    std::uint64_t m_seenChoices = 0;
    std::uint64_t m_finishedChoices = 0;
    bool m_isOutputCounted = false;
    bool m_hasOutput = false;
    bool m_terminated = false;
    bool m_dropEvent = false;
    std::optional<TextSoFar> m_textSoFar;
    bool m_isResumed = false;
    UtcTime m_now{};
    /// None where the event's bytes are relayed.
    std::unique_ptr<StreamTranslator> m_translator;
    std::string m_translated;
    std::string m_ending;
};

} // namespace weir::protocol
