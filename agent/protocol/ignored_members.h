// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_node.h"
#include "common/model/config.h"

namespace weir::protocol {

/// A top-level member of a client's request that goes to no other protocol because the answer is
/// the same without it.
[[nodiscard]] bool isIgnored(Protocol client, const json::Node& member);

} // namespace weir::protocol
