// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace weir {

/// An immutable value that one thread replaces whole and others read: configuration, switch,
/// summary. Readers keep a `Reader` each; as long as nothing was published it costs them one atomic
/// load.
template <class T>
class Published final
{
public:
    explicit Published(std::shared_ptr<const T> first)
        : m_value(std::move(first))
    {
    }

    void publish(std::shared_ptr<const T> next)
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_value.swap(next);
        }
        m_version.fetch_add(1, std::memory_order_release);
    }

    [[nodiscard]] std::shared_ptr<const T> get() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_value;
    }

    /// One thread's cached view. Not shared between threads.
    class Reader final
    {
    public:
        explicit Reader(const Published& source)
            : m_source(&source)
        {
        }

        /// The newest value; the reference stays good until the next call.
        const std::shared_ptr<const T>& current()
        {
            const std::uint64_t version = m_source->m_version.load(std::memory_order_acquire);
            if (!m_read || version != m_seen) {
                m_value = m_source->get();
                m_seen = version;
                m_read = true;
            }
            return m_value;
        }

    private:
        const Published* m_source;
        std::shared_ptr<const T> m_value;
        std::uint64_t m_seen = 0;
        /// The value itself may be null for long.
        bool m_read = false;
    };

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const T> m_value;
    std::atomic<std::uint64_t> m_version{0};
};

} // namespace weir
