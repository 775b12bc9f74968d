// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_config.h"

#include <cstdint>

namespace weir::routing {

/// How far into what a quota leaves a request may reach: the last of it is kept for those that come
/// first. Pinned and new conversations within their fair share take all of it.
enum class Reach : std::uint8_t { All, Most, Half, Least };

/// One agent's part of what a provider's contract allows, in requests and in tokens: a bucket each
/// (routing.md section 4, last pitfall). Over any time the agent sends no more than its part and
/// the depth of a bucket, whatever comes; one large request may overdraw the tokens, and all wait
/// until that is made up for, so that a mix of small and large ones gets what is allowed, and the
/// large ones are not starved. Values only; the clock is the caller's, in milliseconds.
class QuotaBuckets final
{
public:
    QuotaBuckets() = default;
    QuotaBuckets(const Quota& quota, std::int64_t nowMs);

    /// Another contract; what was sent under the old one counts.
    void setQuota(const Quota& quota, std::int64_t nowMs);
    /// This agent's part of the fleet's quota.
    void setShare(std::int64_t sharePpm, std::int64_t nowMs);

    /// There is room for one more request.
    [[nodiscard]] bool isOpen(Reach reach, std::int64_t nowMs) const;
    /// Until there is, if nobody takes any of it; 0 = now.
    [[nodiscard]] std::int64_t opensInMs(Reach reach, std::int64_t nowMs) const;

    /// A request is sent, room or not; `tokens`: what it will probably take.
    void take(std::int64_t tokens, std::int64_t nowMs);
    /// It took so many more than that; below zero: fewer.
    void correct(std::int64_t tokens, std::int64_t nowMs);

private:
    /// In millionths of a request or token.
    struct Bucket
    {
        /// Per second; 0 = no limit.
        std::int64_t rate = 0;
        std::int64_t depth = 0;
        /// Beyond that a debt is forgiven: the provider's own count goes no further back.
        std::int64_t debtMax = 0;
        /// Less than this is no room.
        std::int64_t least = 0;
        std::int64_t level = 0;
        std::int64_t atMs = 0;

        [[nodiscard]] std::int64_t levelAt(std::int64_t nowMs) const;
        /// What is missing; 0 = nothing.
        [[nodiscard]] std::int64_t lackAt(Reach reach, std::int64_t nowMs) const;
        [[nodiscard]] std::int64_t opensInMs(Reach reach, std::int64_t nowMs) const;
        void take(std::int64_t amount, std::int64_t nowMs);
    };

    void resize(std::int64_t nowMs);

    Quota m_quota;
    std::int64_t m_sharePpm = 1'000'000;
    Bucket m_requests;
    Bucket m_tokens;
};

} // namespace weir::routing
