// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <array>
#include <cstdint>
#include <string>

namespace weir::proxy {

/// Appends the lowest `digits` hexadecimal digits of `value`, leading zeros included.
void appendHex(std::string& out, std::uint64_t value, int digits);

/// Makes request ids: 32 hexadecimal digits, 48 bits of time first so that they sort by age, then
/// 80 that nobody can foresee from outside (the layout of RFC 9562's version 7, without its fixed
/// bits).
class RequestIds final
{
public:
    /// `seed` comes from the system's random device.
    explicit RequestIds(std::array<std::uint64_t, 2> seed)
        : m_state(seed)
    {
    }

    [[nodiscard]] std::string next(UtcTime now);

private:
    std::uint64_t random();

    std::array<std::uint64_t, 2> m_state;
};

} // namespace weir::proxy
