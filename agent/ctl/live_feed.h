// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/agent_client.h"
#include "common/base/time.h"

#include <optional>
#include <string>

namespace weir::ctl {

/// An agent's snapshots for as long as somebody looks: where the agent goes away, it is asked again
/// until it is back.
class LiveFeed final
{
public:
    LiveFeed(Waiter& waiter, AgentAddress agent);

    /// The next snapshot; nothing where none came within `timeout` or something interrupted.
    [[nodiscard]] std::optional<StatusDocument> poll(std::chrono::milliseconds timeout);

    /// Why no snapshots come; empty while they do.
    [[nodiscard]] const std::string& trouble() const { return m_trouble; }

    /// Since the newest snapshot, or since the start.
    [[nodiscard]] Duration age() const;

private:
    void giveUp(const Error& error);

    Waiter& m_waiter;
    AgentAddress m_agent;
    std::optional<LiveStream> m_stream;
    std::string m_trouble;
    Instant m_newest;
    Instant m_retryAt;
};

} // namespace weir::ctl
