// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/secret.h"

#include <cstdint>
#include <string>

namespace weir {

/// Where the fleet's Redis is, and as whom to speak to it.
struct RedisAddress
{
    std::string host;
    std::uint16_t port = 6379;
    /// Empty = the default user.
    std::string user;
    Secret password;
    /// A cluster has 0 alone.
    int database = 0;
};

} // namespace weir
