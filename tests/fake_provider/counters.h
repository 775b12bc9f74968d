// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/bill.h"

#include <cstdint>
#include <map>
#include <string>

namespace weir::fake {

struct Counters
{
    std::uint64_t connectionsAccepted = 0;
    std::uint64_t connectionsOpen = 0;
    std::uint64_t requests = 0;
    std::uint64_t inFlight = 0;
    std::uint64_t cancelled = 0; // the client closed before the end of its answer
    std::uint64_t badRequests = 0;
    std::uint64_t keysRejected = 0;
    std::uint64_t tlsFailures = 0;
    std::uint64_t bytesIn = 0;
    std::uint64_t bytesOut = 0;
    std::map<int, std::uint64_t> statuses;
    std::map<std::string, Bill> billed; // by the model that was asked for
};

} // namespace weir::fake
