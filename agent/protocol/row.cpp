// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/row.h"

#include <algorithm>

namespace weir::protocol {

std::size_t Row::add(Span span)
{
    m_pieces.push_back({span, false});
    return m_pieces.size() - 1;
}

bool Row::keepsAny() const
{
    return std::any_of(
        m_pieces.begin(), m_pieces.end(), [](const Piece& piece) { return !piece.removed; });
}

bool Row::removesAny() const
{
    return std::any_of(
        m_pieces.begin(), m_pieces.end(), [](const Piece& piece) { return piece.removed; });
}

/// A removed piece takes the comma before it along where a kept one stands before, else the comma
/// behind it: so neighbours that go both never claim the same comma.
void Row::appendRemovals(std::string_view body, std::vector<Span>& removals) const
{
    bool hasKept = false;
    for (const Piece& piece : m_pieces) {
        hasKept = hasKept || !piece.removed;
        if (!piece.removed) continue;
        std::size_t from = piece.span.at;
        std::size_t to = from + piece.span.size;
        if (hasKept) {
            from = body.rfind(',', from);
        } else {
            const std::size_t next = body.find_first_not_of(" \t\r\n", to);
            if (next != std::string_view::npos && body[next] == ',') to = next + 1;
        }
        removals.push_back({from, to - from});
    }
}

} // namespace weir::protocol
