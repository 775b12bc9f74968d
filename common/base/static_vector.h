// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/assert.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

namespace weir {

/// A vector whose elements live inside it: at most `Capacity`, never an allocation. For small sets
/// on the hot path whose bound is known. Going over the bound is a programmer's error.
template <class T, std::size_t Capacity>
class StaticVector final
{
public:
    using value_type = T;

    constexpr StaticVector() = default;

    constexpr StaticVector(std::initializer_list<T> items)
    {
        for (const T& item : items)
            push_back(item);
    }

    constexpr void push_back(const T& item)
    {
        WEIR_ASSERT(m_size < Capacity);
        m_items[m_size++] = item;
    }

    constexpr void resize(std::size_t size)
    {
        WEIR_ASSERT(size <= Capacity);
        for (std::size_t i = m_size; i < size; ++i)
            m_items[i] = T{};
        m_size = size;
    }

    constexpr void clear() { m_size = 0; }

    [[nodiscard]] constexpr std::size_t size() const { return m_size; }

    [[nodiscard]] constexpr bool empty() const { return m_size == 0; }

    [[nodiscard]] constexpr T& operator[](std::size_t i)
    {
        WEIR_ASSERT(i < m_size);
        return m_items[i];
    }

    [[nodiscard]] constexpr const T& operator[](std::size_t i) const
    {
        WEIR_ASSERT(i < m_size);
        return m_items[i];
    }

    [[nodiscard]] constexpr T* begin() { return m_items.data(); }

    [[nodiscard]] constexpr T* end() { return m_items.data() + m_size; }

    [[nodiscard]] constexpr const T* begin() const { return m_items.data(); }

    [[nodiscard]] constexpr const T* end() const { return m_items.data() + m_size; }

    [[nodiscard]] constexpr bool operator==(const StaticVector& other) const
    {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

private:
    std::array<T, Capacity> m_items;
    std::size_t m_size = 0;
};

} // namespace weir
