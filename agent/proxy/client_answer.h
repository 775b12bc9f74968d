// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/stream.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// The client's side of one answer that is written while it arrives. At most one piece of the
/// upstream is ever kept for a client without room: until `flush()` has sent it nothing more is
/// read, so a slow reader slows the provider down instead of filling our memory.
class ClientAnswer final
{
public:
    enum class Framing : std::uint8_t { Chunked, Raw };

    ClientAnswer(net::Stream& client, Duration stall)
        : m_client(&client)
        , m_stall(stall)
    {
    }

    /// Of an answer that no client waits for: what is written is gone.
    ClientAnswer() = default;

    [[nodiscard]] bool hasReader() const { return m_client != nullptr; }

    /// The head goes out together with the first bytes written. `isEvents`: the body is a stream of
    /// events, which are written whole.
    void begin(std::string head, Framing framing, bool isEvents = false);

    /// Bytes have been offered to the client: there is no way back to another answer.
    [[nodiscard]] bool begun() const { return m_begun; }

    /// All of it has been offered, its end too.
    [[nodiscard]] bool ended() const { return m_ended; }

    /// The client has gone or takes nothing.
    [[nodiscard]] bool broken() const { return m_broken; }

    /// Writes what there is room for. `last` ends the body too.
    void write(std::span<const std::string_view> pieces, bool last);

    /// Bytes that the client skips wherever the answer stands now; empty where there are none. In a
    /// stream of events they are a comment.
    [[nodiscard]] std::string_view skipped() const;

    /// Something waits for room.
    [[nodiscard]] bool blocked() const { return !m_broken && !m_rest.empty(); }

    /// Waits until nothing waits for room any more, or the client has taken nothing for the stall
    /// limit: then it is `broken()`.
    [[nodiscard]] net::Task<> flush(Instant deadline);

    /// Waits for the client no longer: what it has no room for is lost.
    void giveUp();

private:
    net::Stream* m_client = nullptr;
    Duration m_stall{};
    Framing m_framing = Framing::Raw;
    std::string m_head;
    std::string m_rest;
    std::vector<std::string_view> m_pieces;
    bool m_begun = false;
    bool m_isEvents = false;
    bool m_ended = false;
    bool m_broken = false;
};

} // namespace weir::proxy
