// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weir::store {

/// What was done, or could not be, in keeping house.
struct Chore
{
    /// "created", "settled", "pruned", "dropped"; "busy" and "more" where the rest waits for the
    /// next time.
    std::string action;
    std::string table;
    std::int64_t rows = 0;
};

/// Keeps a database from growing for ever. Like `Store`: an object belongs to one thread and every
/// call may wait.
class HouseStore
{
public:
    virtual ~HouseStore() = default;

    /// About once a minute: makes the ledger's next days, adds up what has settled, and forgets
    /// calls from before `keepDays` and history that nobody draws any more. A little at a time:
    /// writers hardly notice.
    [[nodiscard]] virtual Result<std::vector<Chore>> keepHouse(int keepDays) = 0;
};

} // namespace weir::store
