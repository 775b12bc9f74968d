// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/packed.h"

#include "common/base/siphash.h"

namespace weir::fleet {
namespace {

/// Rises with every change of any field's meaning or place: agents of two versions do not
/// understand each other's values, and each goes on as if there were none.
constexpr char kVersion = 1;
constexpr std::size_t kHeadBytes = 2;
constexpr std::size_t kSumBytes = 4;
/// Finds damage, not malice.
constexpr HashKey kSumKey{0x7765'6972, 0x7375'6d00};

std::string sumOf(std::string_view bytes)
{
    std::uint64_t sum = sipHash(kSumKey, bytes);
    std::string text;
    for (std::size_t i = 0; i < kSumBytes; ++i, sum >>= 8U)
        text += static_cast<char>(sum & 0xFFU);
    return text;
}

/// So that small numbers on both sides of zero are short.
std::uint64_t folded(std::int64_t value)
{
    const auto bits = static_cast<std::uint64_t>(value);
    return bits << 1U ^ (value < 0 ? ~std::uint64_t{0} : 0);
}

std::int64_t unfolded(std::uint64_t bits)
{
    return static_cast<std::int64_t>(bits >> 1U ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
}

} // namespace

PackedWriter::PackedWriter(char kind)
    : m_bytes{kind, kVersion}
{
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
void PackedWriter::put(std::int64_t value)
{
    std::uint64_t bits = folded(value);
    for (; bits >= 0x80U; bits >>= 7U)
        m_bytes += static_cast<char>((bits & 0x7FU) | 0x80U);
    m_bytes += static_cast<char>(bits);
}

void PackedWriter::text(std::string_view value)
{
    put(static_cast<std::int64_t>(value.size()));
    m_bytes += value;
}

std::string PackedWriter::take()
{
    m_bytes += sumOf(m_bytes);
    return std::move(m_bytes);
}

PackedReader::PackedReader(char kind, std::string_view bytes)
    : m_bytes(bytes)
{
    const bool isWhole =
        bytes.size() >= kHeadBytes + kSumBytes && bytes[0] == kind && bytes[1] == kVersion;
    m_failed = !isWhole || bytes.substr(bytes.size() - kSumBytes) !=
                               sumOf(bytes.substr(0, bytes.size() - kSumBytes));
    if (m_failed) return;
    m_bytes.remove_prefix(kHeadBytes);
    m_bytes.remove_suffix(kSumBytes);
}

std::int64_t PackedReader::get()
{
    std::uint64_t bits = 0;
    for (unsigned shift = 0; !m_failed && shift < 64U; shift += 7U) {
        if (m_bytes.empty()) break;
        const auto byte = static_cast<std::uint8_t>(m_bytes.front());
        m_bytes.remove_prefix(1);
        bits |= std::uint64_t{byte & 0x7FU} << shift;
        if ((byte & 0x80U) == 0) return unfolded(bits);
    }
    m_failed = true;
    return 0;
}

std::size_t PackedReader::length(std::size_t most)
{
    std::size_t count = 0;
    bounded(count, 0, static_cast<std::int64_t>(most));
    return count;
}

void PackedReader::text(std::string& value, std::size_t most)
{
    const std::size_t size = length(most);
    if (size > m_bytes.size()) m_failed = true;
    if (m_failed) return;
    value = m_bytes.substr(0, size);
    m_bytes.remove_prefix(size);
}

} // namespace weir::fleet
