// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/task_config.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weir::proxy {

/// What all attempts of one request have in common in the ledger.
struct RequestIdentity
{
    std::string requestId;
    std::string agentId;
    std::string service;
    /// Empty = the request is a task of its own.
    std::string taskId;
    std::string taskType;
    std::string conversation;
    std::string model;
    bool singleShot = false;
    /// Asked by an eval run: one attempt on the model that it names, as batch work. It is no part
    /// of any task or conversation, so it neither follows nor sets a pin, and the quality floor
    /// does not keep it from the route that it is to score.
    bool eval = false;
    Priority priority = Priority::Interactive;
    /// Empty = it tells no one from another.
    std::string caller;
    std::string regions;
    std::string terms;
    /// As `CallRecord::promptEstimate`.
    std::optional<std::int64_t> promptEstimate;
};

} // namespace weir::proxy
