// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/io_error.h"
#include "agent/net/sweep.h"
#include "agent/net/tls.h"
#include "agent/net/worker.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::net {

/// One connection, plain or TLS, on its worker's thread. What can be done at once is done by plain
/// functions; only waiting suspends. Reads go into memory of the caller's choice, mostly the
/// worker's scratch.
class Stream final : private Sweep::Entry
{
public:
    Stream(Worker& worker, tcp::socket socket);

    /// Whatever has arrived, at least one byte. `WouldBlock`, `Eof`, or another error.
    [[nodiscard]] IoResult<std::size_t> tryRead(std::span<char> into);

    /// Waits until something arrives, then as `tryRead`. Also `Timeout` and `Cancelled`.
    [[nodiscard]] Task<IoResult<std::size_t>> read(std::span<char> into, Instant deadline);

    /// Writes the pieces in one system call as far as there is room: the bytes taken, 0 for no
    /// room.
    [[nodiscard]] IoResult<std::size_t> tryWrite(std::span<const std::string_view> pieces);

    /// Writes it all. The pieces must stay in place until then. `Timeout` at the deadline, or where
    /// the peer takes nothing at all for `stall`.
    [[nodiscard]] Task<IoStatus> write(
        std::span<const std::string_view> pieces,
        Instant deadline,
        Duration stall = Duration::max());

    /// TLS as a client, on a connection that is there.
    [[nodiscard]] Task<IoStatus> handshake(TlsClient& tls, Instant deadline);

    /// False where the peer has closed or sent something that nobody asked for: then an idle
    /// connection is of no more use.
    [[nodiscard]] bool isQuiet();

    /// The bytes still unread, without taking them; as `tryRead` with one byte.
    [[nodiscard]] IoResult<std::size_t> peek();

    /// Ends what waits now, and whatever would wait later, with `Cancelled`.
    void cancel();

    [[nodiscard]] tcp::socket& socket() { return m_socket; }

private:
    enum class Direction : std::uint8_t { Read, Write };

    Task<IoStatus> wait(Direction direction, Instant deadline);
    IoError tlsError(int result, Direction& direction);
    void onDeadline() override;

    Worker& m_worker;
    tcp::socket m_socket;
    SslPtr m_ssl;
    bool m_timedOut = false;
    bool m_cancelled = false;
    /// The last read filled its buffer, so more is likely there already.
    bool m_maybeMore = false;
};

/// Takes the first `taken` bytes off the pieces.
void dropFront(std::vector<std::string_view>& pieces, std::size_t taken);

/// What is left of the pieces behind the first `taken` bytes, as one string.
[[nodiscard]] std::string remainder(std::span<const std::string_view> pieces, std::size_t taken);

[[nodiscard]] std::size_t totalSize(std::span<const std::string_view> pieces);

} // namespace weir::net
