// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/names.h"
#include "agent/net/stream.h"

#include <cstdint>
#include <memory>
#include <string>

namespace weir::net {

/// Where a provider is reached.
struct Remote
{
    std::string host;
    std::uint16_t port = 0;
    /// Empty for plain HTTP.
    std::shared_ptr<TlsClient> tls;
};

/// A new connection, TLS included, trying the name's addresses in turn. One deadline for all of it.
[[nodiscard]] Task<IoResult<std::unique_ptr<Stream>>>
connect(Worker& worker, const Names& names, const Remote& remote, Instant deadline);

} // namespace weir::net
