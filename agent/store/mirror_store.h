// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/mirror_comparison.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::store {

struct MirrorQuery
{
    /// Answered at or after; nothing = all.
    std::optional<std::int64_t> sinceMs;
    /// Empty = all.
    std::string taskType;
};

/// More than that a report does not read: the newest count.
inline constexpr int kMirrorRowsMax = 100'000;

/// The comparisons of answers with those of candidates. Like `Store`: an object belongs to one
/// thread and every call may wait.
class MirrorStore
{
public:
    virtual ~MirrorStore() = default;

    /// One transaction. A comparison whose request is known changes nothing.
    [[nodiscard]] virtual Status<>
    addComparisons(std::span<const MirrorComparison> comparisons) = 0;

    /// The newest `kMirrorRowsMax`, newest first.
    [[nodiscard]] virtual Result<std::vector<MirrorComparison>>
    comparisons(const MirrorQuery& query) = 0;
};

} // namespace weir::store
