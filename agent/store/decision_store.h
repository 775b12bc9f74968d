// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/call_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::store {

/// How many requests of one step went where they went for this reason.
struct ReasonCount
{
    /// Start of the step, epoch milliseconds.
    std::int64_t atMs = 0;
    Reason reason = Reason::Fixed;
    std::int64_t requests = 0;

    bool operator==(const ReasonCount&) const = default;
};

/// Looking back at decisions. Like `Store`: an object belongs to one thread and every call may
/// wait.
class DecisionStore
{
public:
    virtual ~DecisionStore() = default;

    /// First attempts of callers' requests that started in [from, to), by steps of whole
    /// `stepMs`; steps without any have no row. Reads the stretch, so ask for hours, not months.
    [[nodiscard]] virtual Result<std::vector<ReasonCount>>
    reasons(std::int64_t fromMs, std::int64_t toMs, std::int64_t stepMs) = 0;

    /// Why the request ended without an attempt; nothing where it did not, or is not known.
    [[nodiscard]] virtual Result<std::optional<Unserved>>
    unserved(const std::string& requestId) = 0;
};

} // namespace weir::store
