// SPDX-License-Identifier: Apache-2.0
#include "common/base/siphash.h"

#include <array>
#include <bit>
#include <cstddef>

namespace weir {
namespace {

/// Little-endian, whatever the machine.
std::uint64_t word(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

void round(std::array<std::uint64_t, 4>& v)
{
    v[0] += v[1];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[3];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[2] = std::rotl(v[2], 32);
}

} // namespace

std::uint64_t sipHash(const HashKey& key, std::string_view bytes)
{
    std::array<std::uint64_t, 4> v = {
        key.low ^ 0x736f6d6570736575ULL,
        key.high ^ 0x646f72616e646f6dULL,
        key.low ^ 0x6c7967656e657261ULL,
        key.high ^ 0x7465646279746573ULL};
    const auto absorb = [&v](std::uint64_t block) {
        v[3] ^= block;
        round(v);
        round(v);
        v[0] ^= block;
    };
    const std::uint64_t size = bytes.size();
    for (; bytes.size() >= 8; bytes.remove_prefix(8))
        absorb(word(bytes.substr(0, 8)));
    absorb(word(bytes) | size << 56U);
    v[2] ^= 0xFF;
    for (int i = 0; i < 4; ++i)
        round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

} // namespace weir
