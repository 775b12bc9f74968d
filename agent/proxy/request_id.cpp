// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/request_id.h"

#include <bit>
#include <string_view>

namespace weir::proxy {

void appendHex(std::string& out, std::uint64_t value, int digits)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
        out += kDigits[(value >> static_cast<unsigned>(shift)) & 0xFU];
    }
}

std::string RequestIds::next(UtcTime now)
{
    std::string id;
    id.reserve(32);
    appendHex(id, static_cast<std::uint64_t>(epochMs(now)), 12);
    appendHex(id, random(), 16);
    appendHex(id, random(), 4);
    return id;
}

std::uint64_t RequestIds::random()
{
    // xoroshiro128++ (Blackman and Vigna, 2019).
    const std::uint64_t a = m_state[0];
    const std::uint64_t b = m_state[1] ^ a;
    const std::uint64_t result = std::rotl(a + m_state[1], 17) + a;
    m_state[0] = std::rotl(a, 49) ^ b ^ (b << 21U);
    m_state[1] = std::rotl(b, 28);
    return result;
}

} // namespace weir::proxy
