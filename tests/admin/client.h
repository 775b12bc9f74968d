// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::admin {

struct Reply
{
    /// 0 where the connection ended instead of an answer.
    int status = 0;
    std::string head;
    std::string body;
};

/// A blocking client on loopback that can misbehave. Each wait ends after ten seconds with nothing.
class Client final
{
public:
    /// `receiveBufferBytes` 0 leaves the system's choice.
    explicit Client(std::uint16_t port, int receiveBufferBytes = 0);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    /// False where the peer is gone.
    bool send(std::string_view bytes);
    /// One answer with a Content-Length.
    Reply receive(bool withBody = true);
    Reply get(std::string_view target, std::string_view fields = {});
    /// Reads until `mark` has been seen; everything up to and with it, or nothing.
    std::string until(std::string_view mark);
    /// Reads to the end of the connection: the bytes thrown away, or -1 where it does not end.
    std::int64_t drain();
    /// No more will be sent.
    void halfClose();

private:
    bool fill();

    int m_socket = -1;
    std::string m_input;
};

} // namespace weir::admin
