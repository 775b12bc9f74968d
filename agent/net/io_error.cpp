// SPDX-License-Identifier: Apache-2.0
#include "agent/net/io_error.h"

#include <cerrno>

namespace weir::net {

std::string_view describe(IoError error)
{
    switch (error) {
    case IoError::WouldBlock:
        return "not ready";
    case IoError::Eof:
        return "connection closed";
    case IoError::Reset:
        return "connection reset";
    case IoError::Timeout:
        return "timed out";
    case IoError::Cancelled:
        return "cancelled";
    case IoError::Refused:
        return "connection refused";
    case IoError::Unreachable:
        return "address unreachable";
    case IoError::NameUnknown:
        return "host name not found";
    case IoError::TlsFailed:
        return "TLS handshake failed";
    case IoError::CertificateRejected:
        return "TLS certificate not trusted for this host";
    case IoError::Other:
        return "input/output error";
    }
    return "input/output error";
}

IoError fromErrno(int error)
{
    switch (error) {
    case EAGAIN:
        return IoError::WouldBlock;
    case ECONNRESET:
    case EPIPE:
    case ECONNABORTED:
    case ENOTCONN:
        return IoError::Reset;
    case ETIMEDOUT:
        return IoError::Timeout;
    case ECANCELED:
        return IoError::Cancelled;
    case ECONNREFUSED:
        return IoError::Refused;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EADDRNOTAVAIL:
        return IoError::Unreachable;
    default:
        return IoError::Other;
    }
}

IoError fromSystem(const error_code& error)
{
    if (error == asio::error::operation_aborted) return IoError::Cancelled;
    if (error == asio::error::eof) return IoError::Eof;
    return fromErrno(error.value());
}

} // namespace weir::net
