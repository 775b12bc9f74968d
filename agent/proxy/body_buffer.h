// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace weir::proxy {

/// A body held once, with the padding behind it that the JSON reader needs.
class BodyBuffer final
{
public:
    /// Makes room for `size` bytes in all.
    void reserve(std::size_t size)
    {
        if (size + protocol::kBodyPadding <= m_capacity) return;
        const std::size_t capacity = size + protocol::kBodyPadding;
        auto grown = std::make_unique_for_overwrite<char[]>(capacity);
        if (m_size > 0) std::memcpy(grown.get(), m_bytes.get(), m_size);
        m_bytes = std::move(grown);
        m_capacity = capacity;
    }

    void append(std::string_view bytes)
    {
        if (m_size + bytes.size() + protocol::kBodyPadding > m_capacity) {
            reserve(std::max(m_size * 2, m_size + bytes.size()));
        }
        if (!bytes.empty()) std::memcpy(m_bytes.get() + m_size, bytes.data(), bytes.size());
        m_size += bytes.size();
    }

    /// Where the next `size` bytes may be read to; `grow` then takes them in.
    [[nodiscard]] std::span<char> room(std::size_t size)
    {
        reserve(m_size + size);
        return {m_bytes.get() + m_size, size};
    }

    void grow(std::size_t size) { m_size += size; }

    [[nodiscard]] std::string_view view() const { return {m_bytes.get(), m_size}; }

    [[nodiscard]] std::size_t size() const { return m_size; }

    void release()
    {
        m_bytes.reset();
        m_size = m_capacity = 0;
    }

private:
    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
};

} // namespace weir::proxy
