// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/net/stream.h"
#include "agent/protocol/answer_text.h"
#include "agent/protocol/stream_reader.h"
#include "agent/proxy/attempt_result.h"
#include "agent/proxy/service.h"
#include "agent/proxy/upstream_request.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::proxy {

/// One upstream call: connect or reuse, send, read, and relay what streams. A reused connection
/// that fails before any byte of an answer is replaced once by a fresh one (contract section 2):
/// that is still the same attempt.
class Attempt final
{
public:
    Attempt(AttemptContext context, const RouteRuntime& route, AttemptLimits limits);

    [[nodiscard]] net::Task<AttemptResult> run();

    /// Output has arrived, whether the client was shown it or not.
    [[nodiscard]] bool hasOutput() const { return m_result.firstOutput.has_value(); }

    /// The client has gone: ends as `ClientCancelled`.
    void cancel();

    /// The agent stops: the same, and a stream under way ends with an error event.
    void stop();

private:
    enum class Next : std::uint8_t { Read, Flush, Done };
    enum class Kind : std::uint8_t { Head, Document, Events, Raw };

    net::Task<bool> undergoDrill();
    net::Task<bool> obtain();
    net::Task<bool> send();
    net::Task<> receive();

    [[nodiscard]] Instant readDeadline() const;
    Next onBytes(std::span<char> bytes);
    Next onHead(std::span<char> bytes);
    void takeHead(const http::ResponseHead& head, std::string_view text);
    Next onDocument(std::span<char> bytes);
    Next onRaw(std::span<char> bytes);
    Next onEvents(std::span<char> bytes);
    Next onEnd();
    Next endEvents();
    Next endDocument();
    [[nodiscard]] TokenUsage usageSoFar() const;
    void finishAnswer(UtcTime now);
    void noteOutput();
    [[nodiscard]] bool mayBegin(bool last) const;
    void pass(std::vector<std::string_view>& relay, bool last);
    Next finishEvents(std::vector<std::string_view>& relay);
    Next failEvents(const std::vector<std::string_view>& relay);
    [[nodiscard]] bool isTranslated() const;
    [[nodiscard]] protocol::Api upstreamApi() const;
    [[nodiscard]] std::string metadata() const;
    void commit(ClientAnswer::Framing framing, std::optional<std::uint64_t> contentLength);
    Next fail(Outcome outcome, std::string_view detail);
    Next onIoError(net::IoError error);
    Next succeed();
    void breakStream(Outcome outcome, std::string_view message);
    void keepUpstream();

    AttemptContext m_context;
    const RouteRuntime& m_route;
    AttemptLimits m_limits;
    AttemptResult m_result;
    std::unique_ptr<net::Stream> m_upstream;
    Kind m_kind = Kind::Head;
    http::HeadEnd m_headEnd;
    /// The head while it is incomplete; of a refusal, until its body is there too.
    std::string m_head;
    http::BodyReader m_body;
    std::uint64_t m_contentLength = 0;
    std::optional<protocol::StreamReader> m_reader;
    std::optional<protocol::AnswerText> m_text;
    /// Events that the client is not shown yet: until the first output, because another route may
    /// still answer, or (`mid_stream = "restart"`) until the answer is whole.
    std::string m_held;
    /// The end of a stream, kept until all of it is there, for a client that wants metadata in it.
    std::string m_tail;
    /// After the answer's end only usage and the terminator are waited for, and not for long.
    Instant m_grace = Instant::max();
    Instant m_lastByte{};
    /// This attempt's answer goes to the client: there is no way back.
    bool m_begun = false;
    bool m_reused = false;
    bool m_anyByte = false;
    bool m_stale = false;
    bool m_replayed = false;
    bool m_upstreamKeepAlive = false;
    bool m_cancelled = false;
    bool m_stopped = false;
};

} // namespace weir::proxy
