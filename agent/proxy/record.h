// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/attempt_result.h"
#include "agent/proxy/runtime.h"
#include "common/model/call_record.h"
#include "common/model/control.h"
#include "common/model/decision.h"

namespace weir::proxy {

/// What all attempts of one request have in common in the ledger.
struct RequestIdentity
{
    std::string requestId;
    std::string taskId;
    std::string taskType;
    std::string conversation;
    std::string model;
    bool singleShot = false;
};

struct AttemptTimes
{
    UtcTime startedAt{};
    Instant started{};
    Instant ended{};
};

/// The ledger's row of one attempt, with its exact cost.
[[nodiscard]] CallRecord makeRecord(
    const RequestIdentity& identity,
    const Control& control,
    const Decision& decision,
    const RouteRuntime& route,
    Reason reason,
    int attempt,
    const AttemptTimes& times,
    const AttemptResult& result,
    bool stream);

} // namespace weir::proxy
