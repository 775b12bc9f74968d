// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/redis_address.h"

#include <string_view>

namespace weir::config {

/// "redis://[[user]:password@]host[:port][/database]"; user and password may be escaped with %.
/// Error code "bad_redis_url"; the detail does not repeat a text that may hold a password.
[[nodiscard]] Result<RedisAddress> parseRedisUrl(std::string_view url);

} // namespace weir::config
