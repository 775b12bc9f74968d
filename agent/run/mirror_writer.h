// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/sources.h"
#include "agent/proxy/mirror_board.h"
#include "agent/store/mirror_store.h"

#include <cstdint>
#include <vector>

namespace weir::run {

/// Moves the workers' comparisons into the store, on the store's own thread.
class MirrorWriter final
{
public:
    MirrorWriter(proxy::MirrorBoard& board, store::MirrorStore& store)
        : m_board(board)
        , m_store(store)
    {
    }

    /// What a busy or full store does not take now waits for the next time.
    void step();

private:
    proxy::MirrorBoard& m_board;
    store::MirrorStore& m_store;
    std::int64_t m_toldLost = 0;
};

/// For `/metrics`.
[[nodiscard]] std::vector<admin::MirrorTotal> mirrorTotals(const proxy::MirrorBoard& board);

} // namespace weir::run
