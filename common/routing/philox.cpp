// SPDX-License-Identifier: Apache-2.0
#include "common/routing/philox.h"

namespace weir::routing {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;
/// Makes the second half of a coin's key another function of the same secret.
constexpr std::uint64_t kSecondHash = 0x636F696E2D686967;

constexpr std::uint32_t low(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

constexpr std::uint32_t high(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value >> 32U);
}

} // namespace

std::array<std::uint32_t, 4>
philox(const std::array<std::uint32_t, 4>& counter, const std::array<std::uint32_t, 2>& key)
{
    std::array<std::uint32_t, 4> x = counter;
    std::uint32_t k0 = key[0];
    std::uint32_t k1 = key[1];
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t p0 = std::uint64_t{kMultiplier0} * x[0];
        const std::uint64_t p1 = std::uint64_t{kMultiplier1} * x[2];
        x = {high(p1) ^ x[1] ^ k0, low(p1), high(p0) ^ x[3] ^ k1, low(p0)};
        k0 += kWeyl0;
        k1 += kWeyl1;
    }
    return x;
}

std::uint32_t Coin::draw(Purpose purpose, std::uint32_t index) const
{
    const std::uint32_t use = static_cast<std::uint32_t>(purpose) | index << 8U;
    return philox(
        {low(m_key.low), high(m_key.low), m_key.high, use}, {low(m_seed), high(m_seed)})[0];
}

CoinKey coinKeyOf(const HashKey& secret, std::string_view id)
{
    const HashKey second{secret.low ^ kSecondHash, secret.high};
    return {sipHash(secret, id), low(sipHash(second, id))};
}

} // namespace weir::routing
