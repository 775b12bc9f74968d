// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/net/pause.h"
#include "agent/proxy/attempt.h"

#include <algorithm>
#include <array>

// The part of an attempt that a drill is: what it answers, and how long it waits.

namespace weir::proxy {
namespace {

constexpr int kRateLimited = 429;
constexpr int kUnavailable = 503;
/// What a drilled 429 asks for: long enough to be seen at the gate, short enough to be over soon.
constexpr std::string_view kRetryAfterS = "1";
/// A delay ends so soon after its drill or its client has.
constexpr std::chrono::milliseconds kLook{50};

/// What a provider in that state would answer, in its protocol.
protocol::Failure refusal(Protocol protocol, const Drill& drill)
{
    const bool isRate = drill.kind == DrillKind::RateLimit;
    protocol::ApiError error;
    error.status = isRate ? kRateLimited : kUnavailable;
    error.type = isRate ? "rate_limit_error" : "server_error";
    error.code = isRate ? "rate_limit_exceeded" : "server_error";
    error.message = "Answered by the drill " + drill.id + ", not by the provider.";
    const std::string body = protocol::errorBody(protocol, error);
    const std::array<http::Field, 1> fields{{{"Retry-After", kRetryAfterS}}};
    return protocol::classify(
        error.status,
        isRate ? std::span<const http::Field>{fields} : std::span<const http::Field>{},
        body,
        net::utcNow());
}

} // namespace

/// A drill answers in the provider's place, or holds the request back. False where that was all.
net::Task<bool> Attempt::undergoDrill()
{
    const fleet::RunningDrill& drill = *m_context.drill;
    if (drill.row().kind != DrillKind::Delay) {
        m_result.failure = refusal(m_route.provider->config.protocol, drill.row());
        m_result.httpStatus = m_result.failure->error.status;
        // Nothing was sent, so that is known.
        m_result.usage.inputUncached = 0;
        m_result.usage.output = 0;
        fail(m_result.failure->outcome, "a drill answered");
        co_return false;
    }
    const Instant asked = net::monotonicNow() + std::chrono::milliseconds{drill.row().delayMs};
    const Instant until = std::min(asked, m_limits.firstOutput);
    for (;;) {
        const Instant now = net::monotonicNow();
        if (m_cancelled || now >= until || !drill.acts(now)) break;
        const Duration slice = std::min<Duration>(kLook, until - now);
        co_await net::pauseFor(slice);
    }
    if (m_cancelled) {
        fail(Outcome::ClientCancelled, "the client has gone");
    } else if (net::monotonicNow() >= m_limits.firstOutput) {
        onIoError(net::IoError::Timeout);
    } else {
        co_return true;
    }
    co_return false;
}

} // namespace weir::proxy
