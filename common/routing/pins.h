// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace weir::routing {

/// Which route a conversation's newest prefix is cached at (routing.md section 7).
struct Pin
{
    std::uint16_t route = 0;
    /// Exploration put it there; its tasks stay to the end.
    bool explored = false;
    /// The last success, milliseconds.
    std::int64_t servedMs = 0;
};

/// Pins by conversation, sliding: each success renews. Two generations, each as long as a pin
/// lives, make expiry free: what was not renewed for two of them is dropped with the older one.
/// Bounded; a lost pin is a cold cache, never an error. No lock: its owner has one, or one table a
/// thread.
class PinTable final
{
public:
    /// `lifeMs` = `pin_seconds`; 0 = no pins. `capacity` entries a generation.
    explicit PinTable(std::int64_t lifeMs, std::size_t capacity = 65536);

    [[nodiscard]] std::optional<Pin> find(std::uint64_t conversation, std::int64_t nowMs) const;

    /// Call on success only: a failed or denied call moves no pin.
    void served(std::uint64_t conversation, const Pin& pin);

    void setLife(std::int64_t lifeMs) { m_lifeMs = lifeMs; }

    void clear();

    [[nodiscard]] std::size_t size() const { return m_young.size() + m_old.size(); }

private:
    void rotate(std::int64_t nowMs);

    std::int64_t m_lifeMs;
    std::size_t m_capacity;
    std::int64_t m_generationMs = 0;
    std::unordered_map<std::uint64_t, Pin> m_young;
    std::unordered_map<std::uint64_t, Pin> m_old;
};

} // namespace weir::routing
