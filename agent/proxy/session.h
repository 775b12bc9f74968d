// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/net/stream.h"
#include "agent/protocol/errors.h"
#include "agent/proxy/answer_head.h"
#include "agent/proxy/body_buffer.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/service.h"

#include <memory>
#include <optional>
#include <string>

namespace weir::proxy {

class Exchange;

/// One client connection: reads requests under their limits, hands each to an `Exchange`, and holds
/// no memory for a body or a buffer while it waits for the next.
class Session final
{
public:
    Session(Service& service, std::unique_ptr<net::Stream> client);

    [[nodiscard]] net::Task<> run();

    /// Ends now if idle, else after the answer under way.
    void drain();

    void stop();

private:
    struct Incoming
    {
        ClientRequest request;
        BodyBuffer body;
        http::BodyReader reader;
    };

    net::Task<std::optional<Incoming>> readHead();
    std::optional<Incoming> takeHead(std::string_view bytes, std::size_t headSize);
    net::Task<bool> readBody(Incoming& incoming);
    net::Task<bool> serve(Incoming incoming);
    /// An answer that Weir gives itself, without a route.
    net::Task<bool>
    answerWhole(int status, const ClientRequest& request, bool keepAlive, std::string body);
    net::Task<> refuse(const ClientRequest& request, protocol::ApiError error);
    net::Task<> linger();
    void takeBody(Incoming& incoming, std::string_view bytes);
    [[nodiscard]] std::optional<protocol::ApiError> objection(const Incoming& incoming);

    Service& m_service;
    std::unique_ptr<net::Stream> m_client;
    http::HeadEnd m_headEnd;
    /// Bytes of a request that is not complete, or of the next one.
    std::string m_pending;
    /// Why the head or body that was just read is refused.
    std::optional<protocol::ApiError> m_objection;
    Exchange* m_exchange = nullptr;
    bool m_idle = true;
    bool m_draining = false;
};

} // namespace weir::proxy
