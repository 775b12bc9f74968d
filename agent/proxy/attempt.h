// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/net/stream.h"
#include "agent/protocol/classify.h"
#include "agent/protocol/stream_reader.h"
#include "agent/proxy/answer_head.h"
#include "agent/proxy/body_buffer.h"
#include "agent/proxy/client_answer.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/service.h"
#include "agent/proxy/upstream_request.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::proxy {

/// What every attempt of one request works with. All of it outlives the attempt.
struct AttemptContext
{
    Service& service;
    const ClientRequest& request;
    const protocol::RequestFacts& facts;
    BodyBuffer& body;
    ClientAnswer& client;
    /// For the head of an answer that streams; the exchange fills them in for each attempt.
    AnswerFields& fields;
    const LimitsConfig& limits;
};

struct AttemptLimits
{
    /// Output must have begun by then.
    Instant firstOutput;
    /// That is the caller's own deadline, not the provider's time limit.
    bool isDeadline = false;
    /// The whole answer must be over by then.
    Instant total;
};

struct AttemptResult
{
    Outcome outcome = Outcome::ConnectFailed;
    std::optional<int> httpStatus;
    std::string finishReason;
    TokenUsage usage;
    std::optional<Instant> firstOutput;
    std::optional<protocol::Failure> failure;
    /// What went wrong on the connection, for the log and for an error of our own.
    std::string detail;

    /// A whole answer that has not been written yet: a JSON answer, or the provider's refusal.
    bool hasAnswer = false;
    std::string contentType;
    std::string passed;
    BodyBuffer answer;
};

/// One upstream call: connect or reuse, send, read, and relay what streams. A reused connection
/// that fails before any byte of an answer is replaced once by a fresh one (contract section 2):
/// that is still the same attempt.
class Attempt final
{
public:
    Attempt(AttemptContext context, const RouteRuntime& route, AttemptLimits limits);

    [[nodiscard]] net::Task<AttemptResult> run();

    /// The client has gone: ends as `ClientCancelled`.
    void cancel();

    /// The agent stops: the same, and a stream under way ends with an error event.
    void stop();

private:
    enum class Next : std::uint8_t { Read, Flush, Done };
    enum class Kind : std::uint8_t { Head, Document, Events, Raw };

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
    /// Events before the first output: shown to the client only once this route has answered.
    std::string m_preamble;
    /// After the answer's end only usage and the terminator are waited for, and not for long.
    Instant m_grace = Instant::max();
    Instant m_lastByte{};
    bool m_reused = false;
    bool m_anyByte = false;
    bool m_stale = false;
    bool m_replayed = false;
    bool m_upstreamKeepAlive = false;
    bool m_cancelled = false;
    bool m_stopped = false;
};

} // namespace weir::proxy
