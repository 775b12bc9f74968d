// SPDX-License-Identifier: Apache-2.0
#include "common/model/summary_id.h"

#include "common/base/siphash.h"
#include "common/model/summary_fields.h"

#include <array>

namespace weir {
namespace {

/// Fixed: the hash names a value, it protects nothing.
constexpr HashKey kKey{0x7765697220736d72ULL, 0x79206964206b6579ULL};

/// Canonical bytes: integers little-endian in eight bytes, words and lists behind their length.
class Bytes final
{
public:
    void put(std::int64_t value)
    {
        for (unsigned i = 0; i < 8; ++i) {
            m_bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFFU);
        }
    }

    void put(int value) { put(std::int64_t{value}); }

    void put(bool value) { put(std::int64_t{value ? 1 : 0}); }

    void put(WindowState value) { put(static_cast<std::int64_t>(value)); }

    void put(LeaderCause value) { put(static_cast<std::int64_t>(value)); }

    void put(const std::string& value)
    {
        put(static_cast<std::int64_t>(value.size()));
        m_bytes += value;
    }

    void put(const std::optional<std::int64_t>& value)
    {
        put(value.has_value());
        put(value.value_or(0));
    }

    template <class T>
    void put(const std::vector<T>& values)
    {
        put(static_cast<std::int64_t>(values.size()));
        for (const T& value : values)
            put(value);
    }

    template <class T>
    requires std::is_class_v<T>

    void put(const T& value)
    {
        eachField(value, [this](const char*, const auto& field) { this->put(field); });
    }

    [[nodiscard]] const std::string& text() const { return m_bytes; }

private:
    std::string m_bytes;
};

} // namespace

std::string summaryId(const Summary& summary)
{
    Bytes bytes;
    bytes.put(summary);
    std::uint64_t hash = sipHash(kKey, bytes.text());
    std::string id(16, '0');
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (auto at = id.rbegin(); at != id.rend(); ++at, hash >>= 4U)
        *at = kDigits[hash & 0xFU];
    return id;
}

} // namespace weir
