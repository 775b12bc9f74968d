// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/inner_call.h"
#include "common/model/mirror_comparison.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::proxy {

/// Of each of the two answers, as written in JSON; a longer one is not compared.
inline constexpr std::size_t kMirrorTextMax = 128UL << 10U;

/// One of the few places for a request that is to be copied; free again when it goes.
struct LeaveSeat
{
    void operator()(int* taken) const { --*taken; }
};

using MirrorSeat = std::unique_ptr<int, LeaveSeat>;

/// A request that was answered, and how.
struct MirrorJob
{
    MirrorSeat seat;
    const TaskConfig* task = nullptr;
    InnerRequest original;
    MirrorSide served;
    std::string servedText;
};

/// Copies a share of the answered requests to the candidate that their task policy names, has both
/// answers judged, and keeps the comparison (seed document 003, "A/B production checks"). Nobody
/// waits for it: a copy is sent when the user has the whole answer. One a worker, on its thread.
class Mirror final
{
public:
    explicit Mirror(Service& service)
        : m_service(service)
    {
    }

    /// A seat where the coin means this request, for its own model (`identity.model`), and it may
    /// be copied if it is answered well. Why not, where the coin means it, is counted.
    [[nodiscard]] MirrorSeat admit(
        const TaskConfig& task,
        const ClientRequest& request,
        const RequestIdentity& identity,
        std::size_t bodySize);

    /// Sends the copy, and sees to everything after it.
    void offer(MirrorJob job);

    void count(const TaskConfig& task, MirrorResult result);

    /// Ends what is under way; nothing is begun any more.
    void stop();

private:
    [[nodiscard]] bool isMeant(const TaskConfig& task, const RequestIdentity& identity);
    net::Task<> compare(MirrorJob job);
    net::Task<InnerAnswer>
    call(InnerRequest& request, const std::string& model, std::size_t textMax);
    net::Task<bool>
    grade(const MirrorJob& job, const std::string& copyText, MirrorComparison& comparison);

    Service& m_service;
    int m_taken = 0;
    std::vector<InnerCall*> m_calls;
    bool m_stopping = false;
};

/// There is an answer to judge; a refusal by the content policy is one too, with or without a text.
[[nodiscard]] bool isAnswered(const AttemptResult& result);

/// What a comparison says of an attempt, but for what its text says.
[[nodiscard]] MirrorSide sideOf(
    const std::string& model,
    const RouteRuntime& route,
    const AttemptTimes& times,
    const AttemptResult& result);

} // namespace weir::proxy
