// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/database.h"
#include "common/base/result.h"

#include <atomic>
#include <functional>
#include <memory>

namespace weir::model {

/// The store behind the pages: ledger, incidents, summaries, drills. Every call returns at once;
/// the work is done elsewhere, one job after the other in each lane.
class Archive
{
public:
    enum class Lane : std::uint8_t {
        Read,
        /// For what a person waits for while long reads go on.
        Write,
    };

    /// What to do with the answer, in the thread that asked.
    using Show = std::function<void()>;
    /// Runs on the lane's thread with the store, or with why there is none.
    using Job = std::function<Show(Result<store::Database*> database)>;
    /// True once nobody wants the answer any more: a job that has not begun is then left out.
    using Dropped = std::shared_ptr<const std::atomic<bool>>;

    virtual ~Archive() = default;

    virtual void post(Lane lane, Job job, Dropped dropped) = 0;
};

} // namespace weir::model
