// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/assert.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace weir {

/// A vector whose elements live inside it: at most `Capacity`, never an allocation. For small sets
/// on the hot path whose bound is known; only what is used is made and copied. Going over the bound
/// is a programmer's error.
template <class T, std::size_t Capacity>
class StaticVector final
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type = T;

    StaticVector() {} // NOLINT(modernize-use-equals-default): leaves the storage as it is

    StaticVector(std::initializer_list<T> items) { append(items.begin(), items.end()); }

    StaticVector(const StaticVector& other) { append(other.begin(), other.end()); }

    StaticVector& operator=(const StaticVector& other)
    {
        if (this == &other) return *this;
        m_size = 0;
        append(other.begin(), other.end());
        return *this;
    }

    ~StaticVector() = default;

    // The name that generic code expects.
    void push_back(const T& item) // NOLINT(readability-identifier-naming)
    {
        WEIR_ASSERT(m_size < Capacity);
        std::construct_at(items() + m_size, item);
        ++m_size;
    }

    void resize(std::size_t size)
    {
        WEIR_ASSERT(size <= Capacity);
        for (std::size_t i = m_size; i < size; ++i)
            std::construct_at(items() + i);
        m_size = size;
    }

    void clear() { m_size = 0; }

    [[nodiscard]] std::size_t size() const { return m_size; }

    [[nodiscard]] bool empty() const { return m_size == 0; }

    [[nodiscard]] T& operator[](std::size_t i)
    {
        WEIR_ASSERT(i < m_size);
        return items()[i];
    }

    [[nodiscard]] const T& operator[](std::size_t i) const
    {
        WEIR_ASSERT(i < m_size);
        return items()[i];
    }

    [[nodiscard]] T* begin() { return items(); }

    [[nodiscard]] T* end() { return items() + m_size; }

    [[nodiscard]] const T* begin() const { return items(); }

    [[nodiscard]] const T* end() const { return items() + m_size; }

    [[nodiscard]] bool operator==(const StaticVector& other) const
    {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

private:
    // The one way in: what is used of the array was made, the rest never is.
    // NOLINTBEGIN(cppcoreguidelines-pro-type-union-access)
    [[nodiscard]] T* items() { return m_storage.items; }

    [[nodiscard]] const T* items() const { return m_storage.items; }

    // NOLINTEND(cppcoreguidelines-pro-type-union-access)

    void append(const T* first, const T* last)
    {
        std::uninitialized_copy(first, last, items() + m_size);
        m_size += static_cast<std::size_t>(last - first);
    }

    /// Room for the elements without making them.
    union Storage {
        Storage() {} // NOLINT(modernize-use-equals-default): a union's members are not made

        T items[Capacity]; // NOLINT(*-avoid-c-arrays): std::array would make all of them
    };

    Storage m_storage;
    std::size_t m_size = 0;
};

} // namespace weir
