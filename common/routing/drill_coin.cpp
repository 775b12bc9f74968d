// SPDX-License-Identifier: Apache-2.0
#include "common/routing/drill_coin.h"

#include "common/routing/philox.h"

namespace weir::routing {
namespace {

/// Any fixed key does: it only spreads the ids.
constexpr HashKey kKey{0x6472'696c, 0x6c00'0001};

} // namespace

bool drillHits(std::string_view drillId, std::string_view requestId, std::int64_t sharePpm)
{
    const Coin coin(sipHash(kKey, drillId), coinKeyOf(kKey, requestId));
    return happens(coin.draw(Purpose::Drill), sharePpm);
}

} // namespace weir::routing
