// SPDX-License-Identifier: Apache-2.0
#include "tests/fleet/scratch_redis.h"

#include "agent/net/clock.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>

#include <csignal>

using namespace std::chrono_literals;

namespace weir::fleet::test {
namespace {

constexpr auto kPatience = 10s;

RedisReply askOnce(std::uint16_t port, const RedisLink::Words& words)
{
    RedisLink link;
    const Instant until = net::monotonicNow() + kPatience;
    if (RedisReply opened = link.connect("127.0.0.1", port, until); opened.isError()) return opened;
    const std::vector<RedisLink::Words> commands{words};
    if (RedisReply sent = link.send(commands, until); sent.isError()) return sent;
    return link.receive(1, until).front();
}

} // namespace

std::uint16_t freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool found = ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    return found ? ntohs(address.sin_port) : 0;
}

ScratchRedis::ScratchRedis(QStringList options)
    : m_options(std::move(options))
    , m_port(freePort())
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    start();
}

ScratchRedis::~ScratchRedis()
{
    kill();
}

void ScratchRedis::start(const QStringList& more)
{
    const QStringList base{
        "--port",
        QString::number(m_port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        m_folder.path()};
    m_process.start("redis-server", base + m_options + more);
    if (!m_process.waitForStarted()) qFatal("redis-server cannot be started: install redis-server");
    const Instant until = net::monotonicNow() + kPatience;
    while (askOnce(m_port, {"PING"}).fault == RedisFault::Unreachable) {
        if (net::monotonicNow() > until || m_process.state() != QProcess::Running) {
            qFatal("redis-server does not answer: %s", m_process.readAll().constData());
        }
        m_process.waitForFinished(5);
    }
}

void ScratchRedis::kill()
{
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished();
}

void ScratchRedis::freeze()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGSTOP);
}

void ScratchRedis::thaw()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGCONT);
}

RedisAddress ScratchRedis::address() const
{
    RedisAddress address;
    address.host = "127.0.0.1";
    address.port = m_port;
    return address;
}

RedisReply ScratchRedis::say(RedisLink::Words words) const
{
    return askOnce(m_port, words);
}

ScratchCluster::ScratchCluster()
{
    constexpr std::array<const char*, 3> kFrom{"0", "5461", "10923"};
    constexpr std::array<const char*, 3> kTo{"5460", "10922", "16383"};
    for (std::size_t i = 0; i < kFrom.size(); ++i) {
        const QString bus = QString::number(freePort());
        servers.push_back(std::make_unique<ScratchRedis>(
            QStringList{"--cluster-enabled", "yes", "--cluster-port", bus}));
        ScratchRedis& server = *servers.back();
        server.say({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
        server.say({"CLUSTER", "ADDSLOTSRANGE", kFrom[i], kTo[i]});
        servers.front()->say(
            {"CLUSTER", "MEET", "127.0.0.1", std::to_string(server.port()), bus.toStdString()});
    }
    for (const auto& server : servers) {
        const auto isUp = [&server] {
            return server->say({"CLUSTER", "INFO"}).text.find("state:ok") != std::string::npos;
        };
        if (!QTest::qWaitFor(isUp, 10'000)) qFatal("the cluster does not come up");
    }
}

} // namespace weir::fleet::test
