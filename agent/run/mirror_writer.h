// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/sources.h"
#include "agent/proxy/mirror_board.h"
#include "agent/store/mirror_store.h"

#include <cstdint>
#include <vector>

namespace weir::run {

/// Moves the workers' comparisons into the store, on the ledger's thread.
class MirrorWriter final
{
public:
    explicit MirrorWriter(proxy::MirrorBoard& board)
        : m_board(board)
    {
    }

    /// What a busy or full store does not take now waits for the next time.
    void step(store::MirrorStore& store);

private:
    proxy::MirrorBoard& m_board;
    std::int64_t m_toldLost = 0;
};

/// For `/metrics`.
[[nodiscard]] std::vector<admin::MirrorTotal> mirrorTotals(const proxy::MirrorBoard& board);

} // namespace weir::run
