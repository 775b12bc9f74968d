// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir::proxy {

/// What all attempts of one request have in common in the ledger.
struct RequestIdentity
{
    std::string requestId;
    /// Empty = the request is a task of its own.
    std::string taskId;
    std::string taskType;
    std::string conversation;
    std::string model;
    bool singleShot = false;
};

} // namespace weir::proxy
