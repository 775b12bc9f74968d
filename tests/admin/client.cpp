// SPDX-License-Identifier: Apache-2.0
#include "tests/admin/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace weir::admin {

Client::Client(std::uint16_t port, int receiveBufferBytes)
    : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    const timeval patience{10, 0};
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(m_socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (receiveBufferBytes > 0) {
        ::setsockopt(
            m_socket, SOL_SOCKET, SO_RCVBUF, &receiveBufferBytes, sizeof receiveBufferBytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(m_socket, generic, sizeof address) != 0) {
        ::close(m_socket);
        m_socket = -1;
    }
}

Client::~Client()
{
    if (m_socket >= 0) ::close(m_socket);
}

bool Client::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool Client::fill()
{
    std::array<char, 65536> buffer{};
    errno = 0;
    const ssize_t count = ::recv(m_socket, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    m_input.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
}

std::string Client::until(std::string_view mark)
{
    std::size_t found = m_input.find(mark);
    while (found == std::string::npos) {
        if (!fill()) return {};
        found = m_input.find(mark);
    }
    std::string result = m_input.substr(0, found + mark.size());
    m_input.erase(0, result.size());
    return result;
}

Reply Client::receive(bool withBody)
{
    Reply reply;
    reply.head = until("\r\n\r\n");
    if (reply.head.size() < 12) return {};
    std::from_chars(reply.head.data() + 9, reply.head.data() + 12, reply.status);
    constexpr std::string_view kLength = "Content-Length: ";
    const std::size_t at = reply.head.find(kLength);
    if (!withBody || at == std::string::npos) return reply;
    std::size_t length = 0;
    const char* digits = reply.head.data() + at + kLength.size();
    std::from_chars(digits, reply.head.data() + reply.head.size(), length);
    while (m_input.size() < length) {
        if (!fill()) return {};
    }
    reply.body = m_input.substr(0, length);
    m_input.erase(0, length);
    return reply;
}

Reply Client::get(std::string_view target, std::string_view fields)
{
    std::string request = "GET ";
    request.append(target).append(" HTTP/1.1\r\nHost: test\r\n").append(fields).append("\r\n");
    if (!send(request)) return {};
    return receive();
}

std::int64_t Client::drain()
{
    auto total = static_cast<std::int64_t>(m_input.size());
    m_input.clear();
    while (fill()) {
        total += static_cast<std::int64_t>(m_input.size());
        m_input.clear();
    }
    return errno == EAGAIN || errno == EWOULDBLOCK ? -1 : total;
}

void Client::halfClose()
{
    ::shutdown(m_socket, SHUT_WR);
}

} // namespace weir::admin
