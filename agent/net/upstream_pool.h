// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/stream.h"

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

namespace weir::net {

/// Idle keep-alive connections of one worker, by the remote they lead to. The warmest is taken
/// first, so that the others grow old and go.
class UpstreamPool final
{
public:
    /// Below the usual 60 s of servers, so that we let go before they do.
    static constexpr std::chrono::seconds kIdleMax{30};
    static constexpr std::size_t kIdlePerRemote = 256;

    /// A connection that nobody has closed as far as one can see, or none. `remote` is only a key.
    [[nodiscard]] std::unique_ptr<Stream> take(const void* remote, Instant now);

    /// Keeps a connection whose answer was read to its end.
    void give(const void* remote, std::unique_ptr<Stream> stream, Instant now);

    /// Closes all that has been idle too long.
    void prune(Instant now);

    /// The remotes changed.
    void clear() { m_idle.clear(); }

private:
    struct Idle
    {
        std::unique_ptr<Stream> stream;
        Instant since;
    };

    std::unordered_map<const void*, std::vector<Idle>> m_idle;
};

} // namespace weir::net
