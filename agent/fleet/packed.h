// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate_state.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir::fleet {

/// Values in few bytes: what agents put into Redis. The first two bytes name kind and version, the
/// last four are a checksum.
class PackedWriter final
{
public:
    explicit PackedWriter(char kind);

    template <class T>
    void number(const T& value)
    {
        put(static_cast<std::int64_t>(value));
    }

    void wide(std::int64_t value) { put(value); }

    void rate(std::int64_t micro) { put(micro); }

    template <class T>
    void bounded(const T& value, std::int64_t, std::int64_t)
    {
        put(static_cast<std::int64_t>(value));
    }

    void flag(bool value) { put(value ? 1 : 0); }

    template <class T>
    void word(const T& value, T)
    {
        put(static_cast<std::int64_t>(value));
    }

    void text(std::string_view value);

    [[nodiscard]] std::string take();

private:
    void put(std::int64_t value);

    std::string m_bytes;
};

/// Reads what a `PackedWriter` of the same kind wrote. What is damaged, of another kind or version,
/// or out of its range fails; what is read then has no meaning.
class PackedReader final
{
public:
    /// Numbers of no special kind.
    static constexpr std::int64_t kNumberMax = 1'000'000'000'000'000;
    static constexpr std::int64_t kWideMax = -routing::kNeverMs;

    PackedReader(char kind, std::string_view bytes);

    template <class T>
    void number(T& value)
    {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            value = static_cast<T>(get());
        } else if constexpr (sizeof(T) < sizeof(std::int64_t)) {
            bounded(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        } else {
            bounded(value, -kNumberMax, kNumberMax);
        }
    }

    void wide(std::int64_t& value) { bounded(value, -kWideMax, kWideMax); }

    void rate(std::int64_t& micro) { bounded(micro, 0, routing::kMicroMax); }

    template <class T>
    void bounded(T& value, std::int64_t least, std::int64_t most)
    {
        const std::int64_t read = get();
        m_failed = m_failed || read < least || read > most;
        value = static_cast<T>(m_failed ? 0 : read);
    }

    void flag(bool& value) { bounded(value, 0, 1); }

    template <class T>
    void word(T& value, T last)
    {
        bounded(value, 0, static_cast<std::int64_t>(last));
    }

    void text(std::string& value, std::size_t most);

    /// The length of a list of at most so many.
    [[nodiscard]] std::size_t length(std::size_t most);

    void refuse() { m_failed = true; }

    [[nodiscard]] bool failed() const { return m_failed; }

    /// Everything was read, and nothing failed.
    [[nodiscard]] bool good() const { return !m_failed && m_bytes.empty(); }

private:
    [[nodiscard]] std::int64_t get();

    std::string_view m_bytes;
    bool m_failed = false;
};

} // namespace weir::fleet
