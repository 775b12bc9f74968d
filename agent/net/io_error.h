// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"
#include "common/base/result.h"

#include <cstdint>
#include <string_view>

namespace weir::net {

/// What can happen to bytes on their way. The outcome of an attempt follows from this and from when
/// it happened.
enum class IoError : std::uint8_t {
    /// Not an error yet: nothing to read, or no room to write.
    WouldBlock,
    /// The peer has sent its last byte.
    Eof,
    Reset,
    Timeout,
    /// We stopped it ourselves.
    Cancelled,
    Refused,
    Unreachable,
    NameUnknown,
    TlsFailed,
    CertificateRejected,
    Other,
};

[[nodiscard]] std::string_view describe(IoError error);

/// The one mapping of the system's errors.
[[nodiscard]] IoError fromSystem(const error_code& error);
[[nodiscard]] IoError fromErrno(int error);

template <class T>
using IoResult = tl::expected<T, IoError>;
using IoStatus = tl::expected<void, IoError>;

inline tl::unexpected<IoError> ioFail(IoError error)
{
    return tl::unexpected<IoError>(error);
}

} // namespace weir::net
