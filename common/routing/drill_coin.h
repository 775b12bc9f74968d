// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::routing {

/// Whether a drill that acts on `sharePpm` of the attempts acts on those of this request: the same
/// for each of its attempts, and for whoever asks again. Both ids are Weir's own, so that no caller
/// can choose.
[[nodiscard]] bool
drillHits(std::string_view drillId, std::string_view requestId, std::int64_t sharePpm);

} // namespace weir::routing
