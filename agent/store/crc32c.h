// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::store {

/// CRC-32C (Castagnoli; RFC 3720 appendix B.4). `seed` is the checksum of the bytes before.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

} // namespace weir::store
