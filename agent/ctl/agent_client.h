// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/wire.h"
#include "agent/protocol/sse.h"
#include "common/model/status.h"

#include <optional>
#include <string>

namespace weir::ctl {

inline constexpr std::string_view kStatusPath = "/admin/v1/status";
inline constexpr std::string_view kLivePath = "/admin/v1/live";

/// How long an agent may take to answer. It is on this host or in this rack, or it is in trouble.
inline constexpr std::chrono::milliseconds kAnswerTimeout{3000};

/// A status with the very text it was read from, which may hold more than this version knows.
struct StatusDocument
{
    std::string json;
    AgentStatus status;
};

/// Error codes of `HttpCall`, "bad_status", and "refused" where the agent answers with an error;
/// the text says what to do about it.
[[nodiscard]] Result<StatusDocument> fetchStatus(Waiter& waiter, const AgentAddress& agent);

/// The agent's snapshots, one a second.
class LiveStream final
{
public:
    [[nodiscard]] static Result<LiveStream> open(Waiter& waiter, const AgentAddress& agent);

    /// The next snapshot; nothing where none came within `timeout` or something interrupted. Error
    /// code "ended" where the agent closed the stream.
    [[nodiscard]] Result<std::optional<StatusDocument>> next(std::chrono::milliseconds timeout);

private:
    LiveStream(HttpCall get, std::string where);

    HttpCall m_get;
    std::string m_where;
    std::string m_bytes;
    protocol::SseFramer m_framer;
};

} // namespace weir::ctl
