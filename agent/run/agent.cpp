// SPDX-License-Identifier: Apache-2.0
#include "agent/run/agent.h"

#include "agent/config/redis_url.h"
#include "agent/net/clock.h"
#include "agent/run/gate_gauge.h"
#include "agent/run/log.h"
#include "agent/run/running_agent.h"
#include "agent/store/open.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace weir::run {
namespace {

/// A fleet that restarts together is known by its last signs of life.
constexpr double kOthersS = 120.0;

int refuse(const Error& error)
{
    static_cast<void>(std::fprintf(stderr, "weir-agent: %s\n", error.text().c_str()));
    return 1;
}

/// A server that is away is no reason not to start: what is known of the fleet comes later.
Result<Stores> openStores(const std::string& url, const std::filesystem::path& dataDir)
{
    Stores stores;
    store::OpenOptions options;
    options.host = hostName();
    options.now = net::utcNow();
    for (const auto& [use, store] :
         {std::pair{store::Use::Control, &stores.control},
          std::pair{store::Use::Ledger, &stores.ledger},
          std::pair{store::Use::Learn, &stores.learned}}) {
        options.use = use;
        Result<std::unique_ptr<store::Database>> opened = store::open(url, dataDir, options);
        if (!opened) return tl::unexpected(opened.error());
        *store = std::move(*opened);
    }
    return stores;
}

/// The fleet's, where it can be read; else the one used last.
void takeSecret(store::DataDir& dataDir, store::Database& store)
{
    const Result<std::string> fleets = store.fleetSecret();
    if (!fleets) {
        spdlog::warn("event=secret_unreadable detail=\"{}\"", fleets.error().text());
        return;
    }
    if (const Status<> adopted = dataDir.adoptSecret(*fleets); !adopted) {
        spdlog::warn("event=secret_not_kept detail=\"{}\"", adopted.error().text());
    }
}

/// Null where nothing is shared. The text was found good when the configuration was read.
std::unique_ptr<fleet::Redis> redisOf(const StoreConfig& store)
{
    if (store.redis.empty()) return nullptr;
    Result<RedisAddress> address = config::parseRedisUrl(store.redis);
    if (!address) return nullptr;
    if (!store.redisPassword.empty()) address->password = store.redisPassword;
    return std::make_unique<fleet::Redis>(std::move(*address));
}

/// This one and the others that were heard of lately, as far as the store can tell.
std::int64_t agentsOf(store::Database& store, const std::string& self)
{
    const Result<std::vector<AgentPresence>> known = store.agents();
    if (!known) return 1;
    return 1 + std::ranges::count_if(*known, [&self](const AgentPresence& agent) {
               return agent.agentId != self && agent.lastSeenS < kOthersS;
           });
}

} // namespace

std::string version()
{
    return WEIR_VERSION;
}

int runAgent(const AgentOptions& options, Config config)
{
    // A peer that closes is an error of one write, not the end of the process.
    std::signal(SIGPIPE, SIG_IGN); // NOLINT(*-err33-c)
    startLog();
    logWarnings(config);
    auto shared = std::make_shared<const Config>(std::move(config));
    auto dataDir = store::DataDir::open(options.dataDir);
    if (!dataDir) return refuse(dataDir.error());
    Result<Stores> stores = openStores(shared->store.url, dataDir->path());
    if (!stores) return refuse(stores.error());
    takeSecret(*dataDir, *stores->control);
    std::unique_ptr<fleet::Redis> redis = redisOf(shared->store);
    routing::GateParams params = gateParams(*shared);
    if (redis) params.agents = agentsOf(*stores->control, dataDir->agentId());
    const std::optional<UtcTime> time = redis ? redisTime(*redis) : std::nullopt;
    fleet::RouteStates states(
        params,
        net::monotonicNow(),
        time.value_or(net::utcNow()),
        fleet::agentNumber(dataDir->agentId()));
    auto runtime = proxy::makeRuntime(shared, states, net::monotonicNow());
    if (!runtime) return refuse(runtime.error());
    RunningAgent agent(
        options,
        std::move(*dataDir),
        std::move(*stores),
        std::move(redis),
        std::move(*runtime),
        states);
    if (const Status<> opened = agent.open(); !opened) return refuse(opened.error());
    return agent.run();
}

} // namespace weir::run
