// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::store {

/// The right to do a job for the whole fleet.
struct Lease
{
    std::string job;
    /// See `DataDir::holder`.
    std::string holder;
    /// Rises with each change of holder, so that what an earlier one still writes can be refused.
    std::int64_t token = 0;

    bool operator==(const Lease&) const = default;
};

/// Who does which job, for how long, by the database's clock. Like `Store`: an object belongs to
/// one thread and every call may wait.
class LeaseStore
{
public:
    virtual ~LeaseStore() = default;

    /// Takes it where it is free or over, and renews the holder's own, for `ttl` from now on;
    /// nothing while another one has it.
    [[nodiscard]] virtual Result<std::optional<Lease>>
    takeLease(const std::string& job, const std::string& holder, std::chrono::milliseconds ttl) = 0;
    /// Changes nothing where somebody else has taken it since.
    [[nodiscard]] virtual Status<> giveUpLease(const Lease& lease) = 0;
    /// Whoever has it now; nothing where nobody does.
    [[nodiscard]] virtual Result<std::optional<Lease>> leaseHolder(const std::string& job) = 0;
};

} // namespace weir::store
