// SPDX-License-Identifier: Apache-2.0
#include "agent/net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>

#include <array>

namespace weir::net {

void SslDeleter::operator()(SSL* ssl) const
{
    SSL_free(ssl);
}

void SslDeleter::operator()(SSL_CTX* context) const
{
    SSL_CTX_free(context);
}

void SslDeleter::operator()(SSL_SESSION* session) const
{
    SSL_SESSION_free(session);
}

Result<std::shared_ptr<TlsClient>> TlsClient::create(std::string host, const std::string& caFile)
{
    // The constructor is private, so that a client without a context cannot exist outside.
    std::shared_ptr<TlsClient> client(new TlsClient(std::move(host)));
    client->m_context.reset(SSL_CTX_new(TLS_client_method()));
    SSL_CTX* context = client->m_context.get();
    if (context == nullptr) return fail("tls", "", "OpenSSL could not make a TLS context");
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    // About 30 kB a connection without RELEASE_BUFFERS; the other two let a write go on with other
    // pieces after the socket was full.
    SSL_CTX_set_mode(
        context,
        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_default_verify_paths(context);
    if (!caFile.empty() && SSL_CTX_load_verify_locations(context, caFile.c_str(), nullptr) != 1) {
        ERR_clear_error();
        return fail("bad_ca_file", caFile, "cannot be read as PEM certificates");
    }
    static constexpr std::array<unsigned char, 9> kAlpn = {
        8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    SSL_CTX_set_alpn_protos(context, kAlpn.data(), static_cast<unsigned>(kAlpn.size()));
    SSL_CTX_set_session_cache_mode(
        context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
    SSL_CTX_sess_set_new_cb(context, &TlsClient::keepSession);
    SSL_CTX_set_ex_data(context, 0, client.get());
    return client;
}

int TlsClient::keepSession(SSL* ssl, SSL_SESSION* session)
{
    auto* client = static_cast<TlsClient*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0));
    const std::scoped_lock lock(client->m_mutex);
    client->m_session.reset(session);
    return 1; // The reference is ours now.
}

SslPtr TlsClient::newConnection(int descriptor)
{
    SslPtr ssl(SSL_new(m_context.get()));
    if (!ssl || SSL_set_fd(ssl.get(), descriptor) != 1) return nullptr;
    boost::system::error_code notAnAddress;
    boost::asio::ip::make_address(m_host, notAnAddress);
    if (notAnAddress) {
        // SSL_set_tlsext_host_name without its C cast.
        SSL_ctrl(ssl.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, m_host.data());
        SSL_set1_host(ssl.get(), m_host.c_str());
    } else {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), m_host.c_str());
    }
    SSL_set_connect_state(ssl.get());
    const std::scoped_lock lock(m_mutex);
    if (m_session) SSL_set_session(ssl.get(), m_session.get());
    return ssl;
}

} // namespace weir::net
