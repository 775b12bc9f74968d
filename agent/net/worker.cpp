// SPDX-License-Identifier: Apache-2.0
#include "agent/net/worker.h"

namespace weir::net {

Worker::Worker()
    : m_scratch(std::make_unique_for_overwrite<char[]>(kScratchBytes))
{
}

} // namespace weir::net
