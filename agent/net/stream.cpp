// SPDX-License-Identifier: Apache-2.0
#include "agent/net/stream.h"

#include "agent/net/clock.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace weir::net {
namespace {

constexpr std::size_t kPiecesMax = 64;
/// A TLS record; smaller pieces are joined so that each does not pay for one of its own.
constexpr std::size_t kTlsRecord = 16384;

} // namespace

std::size_t totalSize(std::span<const std::string_view> pieces)
{
    std::size_t size = 0;
    for (const std::string_view piece : pieces)
        size += piece.size();
    return size;
}

void dropFront(std::vector<std::string_view>& pieces, std::size_t taken)
{
    std::size_t whole = 0;
    while (whole < pieces.size() && taken >= pieces[whole].size())
        taken -= pieces[whole++].size();
    pieces.erase(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(whole));
    if (taken > 0) pieces.front().remove_prefix(taken);
}

std::string remainder(std::span<const std::string_view> pieces, std::size_t taken)
{
    std::string rest;
    rest.reserve(totalSize(pieces) - taken);
    for (const std::string_view piece : pieces) {
        const std::size_t skip = std::min(taken, piece.size());
        rest += piece.substr(skip);
        taken -= skip;
    }
    return rest;
}

Stream::Stream(Worker& worker, tcp::socket socket)
    : Entry(worker.sweep())
    , m_worker(worker)
    , m_socket(std::move(socket))
{
    error_code ignored; // Without them a stream is slower and still right.
    m_socket.non_blocking(true, ignored);
    m_socket.set_option(tcp::no_delay(true), ignored);
}

IoResult<std::size_t> Stream::tryRead(std::span<char> into)
{
    m_maybeMore = false;
    if (m_ssl) {
        ERR_clear_error();
        const int size = SSL_read(
            m_ssl.get(),
            into.data(),
            static_cast<int>(std::min<std::size_t>(into.size(), 1U << 30U)));
        if (size > 0) {
            m_maybeMore = true;
            return static_cast<std::size_t>(size);
        }
        Direction direction{};
        return ioFail(tlsError(size, direction));
    }
    const ssize_t size = ::recv(m_socket.native_handle(), into.data(), into.size(), MSG_DONTWAIT);
    if (size < 0) return ioFail(errno == EINTR ? IoError::WouldBlock : fromErrno(errno));
    if (size == 0) return ioFail(IoError::Eof);
    m_maybeMore = static_cast<std::size_t>(size) == into.size();
    return static_cast<std::size_t>(size);
}

Task<IoResult<std::size_t>> Stream::read(std::span<char> into, Instant deadline)
{
    if (m_maybeMore) {
        const IoResult<std::size_t> size = tryRead(into);
        if (size || size.error() != IoError::WouldBlock) co_return size;
    }
    for (;;) {
        const IoStatus ready = co_await wait(Direction::Read, deadline);
        if (!ready) co_return ioFail(ready.error());
        const IoResult<std::size_t> size = tryRead(into);
        if (size || size.error() != IoError::WouldBlock) co_return size;
    }
}

IoResult<std::size_t> Stream::tryWrite(std::span<const std::string_view> pieces)
{
    if (m_ssl) {
        std::string joined;
        std::string_view bytes = pieces.empty() ? std::string_view{} : pieces.front();
        if (pieces.size() > 1 && bytes.size() < kTlsRecord) {
            for (const std::string_view piece : pieces) {
                if (joined.size() >= kTlsRecord) break;
                joined += piece.substr(0, kTlsRecord);
            }
            bytes = joined;
        }
        if (bytes.empty()) return 0;
        ERR_clear_error();
        const int size = SSL_write(
            m_ssl.get(),
            bytes.data(),
            static_cast<int>(std::min<std::size_t>(bytes.size(), 1U << 30U)));
        if (size > 0) return static_cast<std::size_t>(size);
        Direction direction{};
        const IoError error = tlsError(size, direction);
        if (error == IoError::WouldBlock) return 0;
        return ioFail(error);
    }
    std::array<iovec, kPiecesMax> vectors{};
    const std::size_t count = std::min(pieces.size(), kPiecesMax);
    for (std::size_t i = 0; i < count; ++i) {
        // sendmsg does not write through the pointer; its type is older than const.
        vectors[i].iov_base = const_cast<char*>(pieces[i].data()); // NOLINT(*-const-cast)
        vectors[i].iov_len = pieces[i].size();
    }
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = count;
    const ssize_t size = ::sendmsg(m_socket.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size >= 0) return static_cast<std::size_t>(size);
    const IoError error = errno == EINTR ? IoError::WouldBlock : fromErrno(errno);
    if (error == IoError::WouldBlock) return 0;
    return ioFail(error);
}

Task<IoStatus>
Stream::write(std::span<const std::string_view> pieces, Instant deadline, Duration stall)
{
    std::string_view partial;
    while (!pieces.empty() || !partial.empty()) {
        const std::span<const std::string_view> rest =
            partial.empty() ? pieces : std::span<const std::string_view>(&partial, 1);
        const IoResult<std::size_t> taken = tryWrite(rest);
        if (!taken) co_return ioFail(taken.error());
        if (*taken == 0 && totalSize(rest) > 0) {
            const Instant now = monotonicNow();
            const Instant until = deadline - now > stall ? now + stall : deadline;
            const IoStatus ready = co_await wait(Direction::Write, until);
            if (!ready) co_return ready;
            continue;
        }
        std::size_t left = *taken;
        if (!partial.empty()) {
            partial.remove_prefix(left);
            continue;
        }
        while (!pieces.empty() && left >= pieces.front().size()) {
            left -= pieces.front().size();
            pieces = pieces.subspan(1);
        }
        if (left > 0) {
            partial = pieces.front().substr(left);
            pieces = pieces.subspan(1);
        }
    }
    co_return IoStatus{};
}

Task<IoStatus> Stream::wait(Direction direction, Instant deadline)
{
    if (m_cancelled) co_return ioFail(IoError::Cancelled);
    m_timedOut = false;
    arm(deadline);
    const auto kind =
        direction == Direction::Read ? tcp::socket::wait_read : tcp::socket::wait_write;
    const auto [error] = co_await m_socket.async_wait(kind, kAwait);
    disarm();
    if (m_cancelled) co_return ioFail(IoError::Cancelled);
    if (m_timedOut) co_return ioFail(IoError::Timeout);
    if (error) co_return ioFail(fromSystem(error));
    co_return IoStatus{};
}

Task<IoStatus> Stream::handshake(TlsClient& tls, Instant deadline)
{
    m_ssl = tls.newConnection(m_socket.native_handle());
    if (!m_ssl) co_return ioFail(IoError::TlsFailed);
    for (;;) {
        ERR_clear_error();
        const int result = SSL_do_handshake(m_ssl.get());
        if (result == 1) {
            m_maybeMore = true;
            co_return IoStatus{};
        }
        Direction direction{};
        const IoError error = tlsError(result, direction);
        if (error != IoError::WouldBlock) {
            const bool untrusted = SSL_get_verify_result(m_ssl.get()) != X509_V_OK;
            co_return ioFail(untrusted ? IoError::CertificateRejected : IoError::TlsFailed);
        }
        const IoStatus ready = co_await wait(direction, deadline);
        if (!ready) co_return ready;
    }
}

IoError Stream::tlsError(int result, Direction& direction)
{
    const int saved = errno;
    switch (SSL_get_error(m_ssl.get(), result)) {
    case SSL_ERROR_WANT_READ:
        direction = Direction::Read;
        return IoError::WouldBlock;
    case SSL_ERROR_WANT_WRITE:
        direction = Direction::Write;
        return IoError::WouldBlock;
    case SSL_ERROR_ZERO_RETURN:
        return IoError::Eof;
    case SSL_ERROR_SYSCALL:
        return saved == 0 ? IoError::Eof : fromErrno(saved);
    default:
        // Closed without close_notify: a truncation that the framing above will notice.
        if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            ERR_clear_error();
            return IoError::Eof;
        }
        return IoError::TlsFailed;
    }
}

IoResult<std::size_t> Stream::peek()
{
    char byte = 0;
    if (m_ssl) {
        ERR_clear_error();
        const int size = SSL_peek(m_ssl.get(), &byte, 1);
        if (size > 0) return 1;
        Direction direction{};
        return ioFail(tlsError(size, direction));
    }
    const ssize_t size = ::recv(m_socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (size < 0) return ioFail(fromErrno(errno));
    if (size == 0) return ioFail(IoError::Eof);
    return 1;
}

bool Stream::isQuiet()
{
    const IoResult<std::size_t> found = peek();
    return !found && found.error() == IoError::WouldBlock;
}

void Stream::cancel()
{
    m_cancelled = true;
    error_code ignored;
    m_socket.cancel(ignored);
}

void Stream::onDeadline()
{
    m_timedOut = true;
    error_code ignored;
    m_socket.cancel(ignored);
}

} // namespace weir::net
