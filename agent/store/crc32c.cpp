// SPDX-License-Identifier: Apache-2.0
#include "agent/store/crc32c.h"

#include <array>
#include <cstddef>

namespace weir::store {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78;
constexpr std::size_t kSlices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

/// tables[k][b]: the checksum of byte b followed by k zero bytes, so that eight bytes are taken a
/// time.
constexpr Tables makeTables()
{
    Tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < kSlices; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
        }
    }
    return tables;
}

constexpr Tables kTables = makeTables();

constexpr std::uint32_t byteAt(std::string_view bytes, std::size_t at)
{
    return static_cast<unsigned char>(bytes[at]);
}

} // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed)
{
    std::uint32_t crc = ~seed;
    while (bytes.size() >= kSlices) {
        const std::uint32_t low = crc ^ (byteAt(bytes, 0) | byteAt(bytes, 1) << 8U |
                                         byteAt(bytes, 2) << 16U | byteAt(bytes, 3) << 24U);
        crc = kTables[7][low & 0xFFU] ^ kTables[6][(low >> 8U) & 0xFFU] ^
              kTables[5][(low >> 16U) & 0xFFU] ^ kTables[4][low >> 24U] ^
              kTables[3][byteAt(bytes, 4)] ^ kTables[2][byteAt(bytes, 5)] ^
              kTables[1][byteAt(bytes, 6)] ^ kTables[0][byteAt(bytes, 7)];
        bytes.remove_prefix(kSlices);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        crc = (crc >> 8U) ^ kTables[0][(crc ^ byteAt(bytes, i)) & 0xFFU];
    }
    return ~crc;
}

} // namespace weir::store
