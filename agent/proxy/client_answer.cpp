// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/client_answer.h"

#include "agent/http/write.h"

#include <array>
#include <optional>

namespace weir::proxy {

void ClientAnswer::begin(std::string head, Framing framing, bool isEvents)
{
    m_head = std::move(head);
    m_framing = framing;
    m_isEvents = isEvents;
    m_begun = true;
}

void ClientAnswer::write(std::span<const std::string_view> pieces, bool last)
{
    if (m_broken) return;
    m_ended = m_ended || last;
    if (!hasReader()) return;
    m_pieces.clear();
    if (!m_head.empty()) m_pieces.push_back(m_head);
    const std::size_t size = net::totalSize(pieces);
    std::optional<http::ChunkHeader> chunk;
    if (size > 0 && m_framing == Framing::Chunked) m_pieces.push_back(chunk.emplace(size).text());
    m_pieces.insert(m_pieces.end(), pieces.begin(), pieces.end());
    if (chunk) m_pieces.push_back(http::kChunkEnd);
    if (last && m_framing == Framing::Chunked) m_pieces.push_back(http::kLastChunk);
    if (m_pieces.empty()) return;

    const net::IoResult<std::size_t> taken = m_client->tryWrite(m_pieces);
    if (!taken) {
        m_broken = true;
    } else if (*taken < net::totalSize(m_pieces)) {
        m_rest = net::remainder(m_pieces, *taken);
    }
    m_head = {};
}

std::string_view ClientAnswer::skipped() const
{
    if (!m_begun || !m_isEvents || m_ended || m_broken || blocked()) return {};
    return m_framing == Framing::Chunked ? "2\r\n:\n\r\n" : ":\n";
}

net::Task<> ClientAnswer::flush(Instant deadline)
{
    const std::array<std::string_view, 1> rest = {m_rest};
    const net::IoStatus written = co_await m_client->write(rest, deadline, m_stall);
    if (!written) m_broken = true;
    m_rest = {};
}

void ClientAnswer::giveUp()
{
    if (blocked()) m_client->cancel();
}

} // namespace weir::proxy
