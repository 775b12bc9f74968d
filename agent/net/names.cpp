// SPDX-License-Identifier: Apache-2.0
#include "agent/net/names.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>

namespace weir::net {
namespace {

std::vector<asio::ip::address> lookUp(const std::string& host)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    std::vector<asio::ip::address> addresses;
    for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
        asio::ip::tcp::endpoint endpoint;
        if (at->ai_addrlen > endpoint.capacity()) continue;
        std::copy_n(
            reinterpret_cast<const char*>(
                at->ai_addr), // NOLINT(*-reinterpret-cast): sockets' own way
            at->ai_addrlen,
            reinterpret_cast<char*>(endpoint.data())); // NOLINT(*-reinterpret-cast)
        addresses.push_back(endpoint.address());
    }
    return addresses;
}

} // namespace

Names::Names()
    : m_thread([this] { run(); })
{
}

Names::~Names()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void Names::watch(std::set<std::string> hosts)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_hosts = std::move(hosts);
        m_changed = true;
    }
    m_wake.notify_one();
}

std::optional<std::vector<asio::ip::address>> Names::find(const std::string& host) const
{
    error_code notAnAddress;
    const asio::ip::address literal = asio::ip::make_address(host, notAnAddress);
    if (!notAnAddress) return std::vector{literal};
    const std::scoped_lock lock(m_mutex);
    const auto found = m_addresses.find(host);
    if (found == m_addresses.end()) return std::nullopt;
    return found->second;
}

void Names::await(const std::string& host, std::chrono::milliseconds atMost) const
{
    std::unique_lock lock(m_mutex);
    m_found.wait_for(lock, atMost, [&] { return m_addresses.contains(host); });
}

void Names::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_stop) {
        m_changed = false;
        const std::set<std::string> hosts = m_hosts;
        for (const std::string& host : hosts) {
            error_code notAnAddress;
            asio::ip::make_address(host, notAnAddress);
            if (!notAnAddress || m_stop) continue;
            lock.unlock();
            std::vector<asio::ip::address> addresses = lookUp(host);
            lock.lock();
            std::vector<asio::ip::address>& known = m_addresses[host];
            if (!addresses.empty()) known = std::move(addresses);
            m_found.notify_all();
        }
        std::erase_if(
            m_addresses, [this](const auto& entry) { return !m_hosts.contains(entry.first); });
        m_wake.wait_for(lock, kRefresh, [this] { return m_stop || m_changed; });
    }
}

} // namespace weir::net
