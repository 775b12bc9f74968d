// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <openssl/types.h>

#include <memory>
#include <mutex>
#include <string>

// OpenSSL names it only in its largest header.
using SSL_SESSION = struct ssl_session_st;

namespace weir::net {

struct SslDeleter
{
    void operator()(SSL* ssl) const;
    void operator()(SSL_CTX* context) const;
    void operator()(SSL_SESSION* session) const;
};

using SslPtr = std::unique_ptr<SSL, SslDeleter>;

/// How one provider is spoken to over TLS: its trusted authorities, its name, and the last session,
/// so that a new connection resumes instead of shaking hands in full. Shared by all workers.
class TlsClient final
{
public:
    /// Trusts the system's authorities, and those in `caFile` besides where it is not empty. Error
    /// code "bad_ca_file".
    [[nodiscard]] static Result<std::shared_ptr<TlsClient>>
    create(std::string host, const std::string& caFile);

    /// A new connection on that socket: verified against the host's name (or address), ALPN
    /// http/1.1.
    [[nodiscard]] SslPtr newConnection(int descriptor);

private:
    explicit TlsClient(std::string host)
        : m_host(std::move(host))
    {
    }

    static int keepSession(SSL* ssl, SSL_SESSION* session);

    std::string m_host;
    std::unique_ptr<SSL_CTX, SslDeleter> m_context;
    std::mutex m_mutex;
    std::unique_ptr<SSL_SESSION, SslDeleter> m_session;
};

} // namespace weir::net
