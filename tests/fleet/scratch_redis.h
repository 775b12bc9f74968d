// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis.h"

#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::fleet::test {

/// A port of the loopback that nobody listens on.
[[nodiscard]] std::uint16_t freePort();

/// A Redis of its own that keeps nothing unless told to; gone with the object. A test that cannot
/// have one fails with the reason.
class ScratchRedis final
{
public:
    /// `options` as on the command line, e.g. {"--maxmemory", "1mb"}.
    explicit ScratchRedis(QStringList options = {});
    ~ScratchRedis();
    ScratchRedis(const ScratchRedis&) = delete;
    ScratchRedis& operator=(const ScratchRedis&) = delete;

    /// At the same port as before; returns once it answers at all.
    void start(const QStringList& more = {});
    void kill();
    /// SIGSTOP: the system still takes connections for it, and nothing answers.
    void freeze();
    void thaw();

    [[nodiscard]] std::uint16_t port() const { return m_port; }

    [[nodiscard]] RedisAddress address() const;

    /// As the default user without a password; patient.
    RedisReply say(RedisLink::Words words) const;

private:
    QTemporaryDir m_folder;
    QStringList m_options;
    std::uint16_t m_port;
    QProcess m_process;
};

/// Three servers that share the keys among them.
struct ScratchCluster
{
    ScratchCluster();

    std::vector<std::unique_ptr<ScratchRedis>> servers;
};

} // namespace weir::fleet::test
