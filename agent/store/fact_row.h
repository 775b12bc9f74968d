// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_fact.h"
#include "common/model/call_record.h"

#include <cstdint>
#include <string>

namespace weir::store {

/// A place in the order in which rows came in, for good: never reused, and nothing appears before a
/// place that was read. `xact` is 0 where the database writes one transaction at a time.
struct FactCursor
{
    std::int64_t xact = 0;
    std::int64_t row = 0;

    bool operator==(const FactCursor&) const = default;
};

/// One attempt of the ledger, as the summary job reads it.
struct FactRow
{
    FactCursor at;
    std::string requestId;
    int attempt = 1;
    Reason reason = Reason::Fixed;
    std::string model;
    std::string taskType;
    std::string provider;
    bool batch = false;
    /// Without `pool` and `route`, which the reader gives out.
    CallFact fact;
};

inline constexpr int kFactPageMax = 20'000;

} // namespace weir::store
