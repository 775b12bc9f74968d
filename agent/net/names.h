// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace weir::net {

/// The addresses of the providers' host names, looked up on a thread of their own and kept fresh:
/// no request waits for a name server, and one that is down takes nobody down, since the last
/// addresses stay in use.
class Names final
{
public:
    static constexpr std::chrono::seconds kRefresh{30};

    Names();
    ~Names();
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;

    /// The hosts to know from now on. Numeric addresses need no look-up.
    void watch(std::set<std::string> hosts);

    /// Nothing where the first look-up is still under way; empty where the name is not known.
    [[nodiscard]] std::optional<std::vector<asio::ip::address>> find(const std::string& host) const;

    /// Until the first look-up of the host is over, at most so long.
    void await(const std::string& host, std::chrono::milliseconds atMost) const;

private:
    void run();

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    mutable std::condition_variable m_found;
    std::set<std::string> m_hosts;
    std::map<std::string, std::vector<asio::ip::address>> m_addresses;
    bool m_changed = false;
    bool m_stop = false;
    std::thread m_thread;
};

} // namespace weir::net
