// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_node.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace weir::protocol::json {

/// A document whose members can be asked for in any order, while every value stays the bytes that
/// were written: key order, number spelling, escapes and unknown members survive whoever rebuilds
/// it. Keeps places, no copies: the document must stay where it is for as long as nodes are used.
class Tree final
{
public:
    /// Values deeper than this stay whole: nothing that is translated lies so deep, and a tool's
    /// schema need not be taken apart.
    static constexpr int kDepthMax = 9;
    /// More values than any real request has; a hostile one must not grow a tree far larger than
    /// itself.
    static constexpr std::size_t kEntriesMax = 1U << 20U;

    /// Reads a document that is one object, with `kBodyPadding` readable bytes behind it. False,
    /// and the tree empty, where it is none or has too many values.
    [[nodiscard]] bool readPadded(std::string_view text);

    /// The same for text without padding, whose copy this thread keeps until it copies the next.
    [[nodiscard]] bool readCopied(std::string_view text);

    /// None where nothing was read.
    [[nodiscard]] Node root() const;

private:
    std::vector<TreeEntry> m_entries;
    /// Of a document too large for the thread's own buffer.
    std::unique_ptr<char[]> m_copy;
};

} // namespace weir::protocol::json
