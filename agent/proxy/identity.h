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
    Priority priority = Priority::Interactive;
    /// Empty = it tells no one from another.
    std::string caller;
    std::string regions;
    std::string terms;
    /// As `CallRecord::promptEstimate`.
    std::optional<std::int64_t> promptEstimate;
};

} // namespace weir::proxy
