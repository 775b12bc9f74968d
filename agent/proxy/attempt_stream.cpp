// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/proxy/answer_metadata.h"
#include "agent/proxy/attempt.h"
#include "agent/proxy/unframe.h"

#include <array>

// The half of an attempt that relays a stream of events.

namespace weir::proxy {
namespace {

/// Before the first output there is little to say; a stream that goes on like that is none.
constexpr std::size_t kPreambleMax = 256UL << 10U;
/// A longer answer than this is not held back until it is whole.
constexpr std::size_t kHeldMax = 16UL << 20U;
/// Wire case B062: how long usage and terminator may follow a finished answer.
constexpr std::chrono::milliseconds kGrace{1500};

} // namespace

Attempt::Next Attempt::onEvents(std::span<char> bytes)
{
    const Unframed body = unframe(m_body, bytes);
    if (body.surplus) m_upstreamKeepAlive = false;
    std::vector<std::string_view>& relay = m_context.service.pieces;
    relay.clear();
    m_reader->feed(body.payload, net::utcNow(), relay);
    if (m_text) m_text->feed(body.payload);
    if (m_reader->failure()) return failEvents(relay);
    noteOutput();
    if (m_reader->isTerminated() && m_result.firstOutput) return finishEvents(relay);
    pass(relay, false);
    if (m_body.finished() || body.error) return endEvents();
    if (!m_result.firstOutput && m_held.size() > kPreambleMax) {
        return fail(Outcome::Malformed, "no output in 256 KiB");
    }
    if (m_reader->hasFinish() && m_grace == Instant::max()) m_grace = m_lastByte + kGrace;
    return m_context.client.blocked() ? Next::Flush : Next::Read;
}

Attempt::Next Attempt::endEvents()
{
    std::vector<std::string_view>& relay = m_context.service.pieces;
    relay.clear();
    m_reader->atEnd(net::utcNow(), relay);
    if (m_reader->failure()) return failEvents(relay);
    noteOutput();
    if (m_reader->isComplete() && m_result.firstOutput) return finishEvents(relay);
    constexpr std::string_view kBroken = "the provider's stream ended before its answer did";
    if (m_begun) {
        m_context.client.write(relay, false);
        breakStream(Outcome::StreamBroken, kBroken);
        return Next::Done;
    }
    if (m_result.firstOutput) return fail(Outcome::StreamBroken, kBroken);
    if (m_body.finished()) return fail(Outcome::Malformed, "a stream without an answer");
    return fail(Outcome::Reset, "the connection closed before any output");
}

/// The answer is whole: what the client's protocol still lacks follows, and that was all.
Attempt::Next Attempt::finishEvents(std::vector<std::string_view>& relay)
{
    m_reader->finish(relay);
    if (m_reader->failure()) return failEvents(relay);
    pass(relay, true);
    return succeed();
}

/// An error among the events. What came before it is shown only where the client knows of this
/// answer already.
Attempt::Next Attempt::failEvents(const std::vector<std::string_view>& relay)
{
    m_result.failure = m_reader->failure();
    if (!m_begun) return fail(m_result.failure->outcome, "an error in the stream");
    m_context.client.write(relay, false);
    breakStream(Outcome::StreamBroken, m_result.failure->error.message);
    return Next::Done;
}

void Attempt::noteOutput()
{
    if (m_result.firstOutput || (!m_reader->hasOutput() && !m_reader->hasFinish())) return;
    m_result.firstOutput = m_lastByte;
    // What counts for the route's gate is the first output, not the end.
    m_context.flight.firstOutput(m_lastByte);
}

bool Attempt::mayBegin(bool last) const
{
    if (last) return true;
    const bool isHeld = m_context.midStream == MidStream::Restart && m_held.size() <= kHeldMax;
    return m_result.firstOutput && !isHeld;
}

/// Events on their way: to the client once the answer has begun, else to what is held back.
void Attempt::pass(std::vector<std::string_view>& relay, bool last)
{
    if (!m_begun && !mayBegin(last)) {
        for (const std::string_view piece : relay)
            m_held += piece;
        return;
    }
    if (!m_begun) commit(ClientAnswer::Framing::Chunked, std::nullopt);
    if (!m_held.empty()) relay.insert(relay.begin(), m_held);
    if (m_context.request.metadata && m_reader->hasFinish()) {
        for (const std::string_view piece : relay)
            m_tail += piece;
        relay.clear();
        if (last) {
            addMemberToLastEvent(m_tail, metadata());
            relay.push_back(m_tail);
        }
    }
    if (!relay.empty() || last) m_context.client.write(relay, last);
    m_held = {};
}

} // namespace weir::proxy
