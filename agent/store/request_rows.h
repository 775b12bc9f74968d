// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace weir::store {

/// Requests that began in [from, to), in epoch milliseconds; an empty task type means all.
struct RequestQuery
{
    std::int64_t fromMs = 0;
    std::int64_t toMs = 0;
    std::string taskType;
};

/// One attempt with what a report of requests needs of it.
struct AttemptRow
{
    /// Epoch milliseconds of its request's first attempt, and of itself.
    std::int64_t requestStartedMs = 0;
    std::int64_t startedMs = 0;
    std::string requestId;
    int attempt = 1;
    std::string taskType;
    /// A hash of the task's id.
    std::uint64_t task = 0;
    std::string model;
    std::string provider;
    std::string route;
    std::string regionsAsked;
    std::string termsAsked;
    Outcome outcome = Outcome::Ok;
    int level = 0;
    Priority priority = Priority::Interactive;
    /// From its own start to its first output.
    std::optional<std::int64_t> ttftMs;
    std::optional<std::int64_t> costMicroUsd;
    /// It ended its request.
    bool last = false;
    /// A copy for comparison, or of an eval run: no caller's request.
    bool aside = false;
    /// Sent to another than the best route, to keep that one's figures fresh.
    bool explored = false;
};

/// A request that ended without any attempt.
struct UnservedRow
{
    std::int64_t startedMs = 0;
    std::string taskType;
    Unserved why = Unserved::NoRoute;
    Priority priority = Priority::Interactive;
};

using SeeAttempt = std::function<void(const AttemptRow&)>;
using SeeUnserved = std::function<void(const UnservedRow&)>;

} // namespace weir::store
