// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// The members of an object or the elements of an array as they follow each other in a body, some
/// of which must not go upstream.
class Row final
{
public:
    /// The next one, which may be removed later; its index.
    std::size_t add(Span span = {});

    void remove(std::size_t index) { m_pieces[index].removed = true; }

    /// The same where its place is known only now.
    void remove(std::size_t index, Span span) { m_pieces[index] = {span, true}; }

    [[nodiscard]] bool keepsAny() const;

    [[nodiscard]] bool removesAny() const;

    void clear() { m_pieces.clear(); }

    /// The spans that must go so that what stays is valid: each with one comma, none overlapping.
    void appendRemovals(std::string_view body, std::vector<Span>& removals) const;

private:
    struct Piece
    {
        Span span;
        bool removed = false;
    };

    std::vector<Piece> m_pieces;
};

} // namespace weir::protocol
