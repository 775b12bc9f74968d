// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/attempt_result.h"
#include "agent/proxy/identity.h"
#include "agent/proxy/route_choice.h"
#include "agent/proxy/runtime.h"
#include "common/model/call_record.h"
#include "common/model/control.h"

namespace weir::proxy {

struct AttemptTimes
{
    UtcTime startedAt{};
    Instant started{};
    Instant ended{};
};

/// What comes after an attempt of its request.
enum class Follows : std::uint8_t { Something, Perhaps, Nothing };

/// One step of a request's ladder.
struct Rung
{
    const ModelRuntime* model = nullptr;
    int level = 0;
};

/// Which attempt a result is of.
struct Tried
{
    const RouteRuntime* route = nullptr;
    Candidate candidate;
    /// Among the candidates of its rung.
    std::size_t index = 0;
    int number = 0;
    bool hedged = false;
    AttemptTimes times;
};

/// What is kept of a request that ended without any attempt.
[[nodiscard]] CallRecord
unservedRecord(const RequestIdentity& identity, const Control& control, Unserved why, UtcTime at);

/// The ledger's row of one attempt, with its exact cost.
[[nodiscard]] CallRecord makeRecord(
    const RequestIdentity& identity,
    const Control& control,
    const Choice& choice,
    const RouteRuntime& route,
    const Candidate& candidate,
    int attempt,
    const AttemptTimes& times,
    const AttemptResult& result,
    bool stream);

} // namespace weir::proxy
