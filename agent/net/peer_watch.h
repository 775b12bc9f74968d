// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/stream.h"

#include <functional>
#include <memory>
#include <string_view>

namespace weir::net {

/// Notices that a client has gone while its answer is still awaited. A FIN alone does not tell: the
/// client may have half-closed and still be reading. So the first FIN is answered by bytes that
/// every client skips and that a closed socket answers with a reset.
///
/// Armed only after `kDelay`: a quick answer pays nothing for it.
class PeerWatch final : private Sweep::Entry
{
public:
    static constexpr std::chrono::milliseconds kDelay{100};

    /// Skipped by every HTTP/1.1 client before its answer begins (RFC 9110 section 15.2).
    static constexpr std::string_view kInterim = "HTTP/1.1 100 Continue\r\n\r\n";

    /// `probe` says what may be written now so that the client skips it; nothing = there is no such
    /// thing. `gone` is called at most once, on the worker's thread.
    PeerWatch(
        Sweep& sweep,
        Stream& client,
        std::function<std::string_view()> probe,
        std::function<void()> gone);
    ~PeerWatch() override;
    PeerWatch(const PeerWatch&) = delete;
    PeerWatch& operator=(const PeerWatch&) = delete;

private:
    void onDeadline() override;
    void await(tcp::socket::wait_type kind);
    void onReady();

    Stream& m_client;
    std::function<std::string_view()> m_probe;
    std::function<void()> m_gone;
    /// A wait outlives the watch: it holds this, and looks whether the watch is still there.
    std::shared_ptr<PeerWatch*> m_self;
    bool m_finSeen = false;
};

} // namespace weir::net
