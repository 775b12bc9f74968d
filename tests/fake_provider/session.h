// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/provider.h"
#include "tests/fake_provider/wire.h"

#include <boost/beast/core/flat_buffer.hpp>

#include <functional>
#include <optional>
#include <set>

namespace weir::fake {

/// A request read whole.
struct Incoming
{
    SeenRequest seen;
    std::string method;
    std::string target;
    Caller caller;
    bool keepAlive = true;
};

/// What the server hands to every connection and hears from it.
struct Shared
{
    Provider& provider;
    Counters aside;       // of the control port
    std::set<Wire*> idle; // connections between two requests
    std::function<void()> scriptChanged;
};

/// One connection from its first byte to its end.
class Session final
{
public:
    /// `counters` get its connections and bytes: those of the control port are kept apart.
    Session(Shared& shared, Counters& counters, Tcp::socket socket, net::ssl::context* tls);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] net::awaitable<void> run();

private:
    [[nodiscard]] net::awaitable<std::optional<Incoming>> read();
    [[nodiscard]] net::awaitable<bool> serve(Incoming& incoming);
    [[nodiscard]] net::awaitable<void> refuseBadRequest();

    Shared& m_shared;
    Counters& m_counters;
    Wire m_wire;
    boost::beast::flat_buffer m_buffer;
    std::uint64_t m_served = 0;
};

} // namespace weir::fake
