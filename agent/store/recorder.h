// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"

namespace weir::store {

/// Where finished attempts go. Called on worker threads for every attempt, so it must not wait for
/// a disk or a lock that anybody holds while waiting for one.
class Recorder
{
public:
    virtual ~Recorder() = default;
    virtual void record(CallRecord record) = 0;
};

} // namespace weir::store
