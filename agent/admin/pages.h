// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/decisions.h"
#include "agent/admin/live_stats.h"
#include "agent/admin/sources.h"
#include "agent/admin/status.h"
#include "agent/http/head.h"
#include "common/base/secret.h"

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace weir::admin {

inline constexpr std::string_view kJsonType = "application/json";

struct Answer
{
    int status = 200;
    std::string_view type = kJsonType;
    std::string body;
    /// A field that the status asks for ("Allow", "WWW-Authenticate"); empty name = none.
    http::Field extra;
    /// The answer is the live stream: no body, but snapshots until somebody leaves.
    bool live = false;
};

/// {"error": {"type": …, "message": …}}
[[nodiscard]] Answer errorAnswer(int status, std::string_view type, std::string_view message);

/// The admin pages as a function of the request: no sockets. Used on the admin thread alone, except
/// `setReady`, which any thread may call. No page shows a key: none of the sources holds one but
/// the configuration, of which only names and routes are read.
class Pages final
{
public:
    /// An empty `token` asks for none.
    Pages(
        Sources sources,
        const LiveStats& stats,
        const RecentDecisions& decisions,
        std::function<Now()> now,
        Secret token);

    /// Until then `/readyz` answers 503.
    void setReady(bool ready) { m_ready = ready; }

    [[nodiscard]] Answer answer(const http::RequestHead& request) const;

    /// One event of the live stream, with its blank line.
    [[nodiscard]] std::string snapshotEvent() const;

private:
    [[nodiscard]] bool mayRead(const http::RequestHead& request) const;
    [[nodiscard]] Answer page(std::string_view path, std::string_view query) const;
    [[nodiscard]] Answer metrics() const;
    [[nodiscard]] Answer readiness() const;
    [[nodiscard]] Answer decisionList(std::string_view query) const;
    [[nodiscard]] Answer decision(std::string_view requestId) const;
    [[nodiscard]] std::string statusJson() const;

    Sources m_sources;
    const LiveStats& m_stats;
    const RecentDecisions& m_decisions;
    std::function<Now()> m_now;
    Secret m_token;
    std::atomic<bool> m_ready = false;
};

} // namespace weir::admin
