// SPDX-License-Identifier: Apache-2.0
#include "common/routing/replay.h"

#include "common/routing/decide.h"

namespace weir::routing {
Decision decideAgain(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers)
{
    return decide(pool != nullptr ? PoolView(*pool, providers) : PoolView{}, record.input);
}

bool replays(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers)
{
    DecisionRecord again = record;
    again.decision = decideAgain(record, pool, providers);
    return encode(again) == encode(record);
}

} // namespace weir::routing
