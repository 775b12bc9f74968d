// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <cstdint>
#include <string>

namespace weir {

/// A row of `settings_audit`. `oldValue` and `newValue` are JSON objects as the database wrote
/// them.
struct AuditEntry
{
    std::int64_t id = 0;
    UtcTime at{};
    std::string who;
    std::string host;
    std::string table;
    std::string key;
    std::string oldValue;
    std::string newValue;
    std::string reason;
    std::int64_t version = 0;
};

} // namespace weir
