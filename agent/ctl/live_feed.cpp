// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/live_feed.h"

#include "agent/net/clock.h"

#include <algorithm>

namespace weir::ctl {
namespace {

constexpr std::chrono::milliseconds kRetryAfter{500};
/// A connection that has been silent for so long is given up, though nobody closed it.
constexpr std::chrono::seconds kSilence{5};

} // namespace

LiveFeed::LiveFeed(Waiter& waiter, AgentAddress agent)
    : m_waiter(waiter)
    , m_agent(std::move(agent))
    , m_newest(net::monotonicNow())
    , m_retryAt(m_newest)
{
}

std::optional<StatusDocument> LiveFeed::poll(std::chrono::milliseconds timeout)
{
    const Instant now = net::monotonicNow();
    if (!m_stream) {
        if (now < m_retryAt) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_retryAt - now);
            m_waiter.pause(std::min(left, timeout));
            return std::nullopt;
        }
        Result<LiveStream> opened = LiveStream::open(m_waiter, m_agent);
        if (!opened) {
            giveUp(opened.error());
            return std::nullopt;
        }
        m_stream.emplace(std::move(*opened));
    }
    Result<std::optional<StatusDocument>> document = m_stream->next(timeout);
    if (!document) {
        giveUp(document.error());
        return std::nullopt;
    }
    if (*document) {
        m_trouble.clear();
        m_newest = net::monotonicNow();
    } else if (age() > kSilence) {
        giveUp({"timeout", m_agent.text, "has been silent for too long"});
    }
    return std::move(*document);
}

Duration LiveFeed::age() const
{
    return net::monotonicNow() - m_newest;
}

void LiveFeed::giveUp(const Error& error)
{
    m_stream.reset();
    if (error.code == "interrupted") return;
    m_trouble = error.text();
    m_retryAt = net::monotonicNow() + kRetryAfter;
}

} // namespace weir::ctl
