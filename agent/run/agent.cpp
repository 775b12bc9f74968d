// SPDX-License-Identifier: Apache-2.0
#include "agent/run/agent.h"

#include "agent/net/clock.h"
#include "agent/run/gate_gauge.h"
#include "agent/run/log.h"
#include "agent/run/running_agent.h"
#include "agent/store/open.h"

#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdio>

namespace weir::run {
namespace {

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
    fleet::RouteStates states(gateParams(*shared), net::monotonicNow(), net::utcNow());
    auto runtime = proxy::makeRuntime(shared, states, net::monotonicNow());
    if (!runtime) return refuse(runtime.error());
    auto dataDir = store::DataDir::open(options.dataDir);
    if (!dataDir) return refuse(dataDir.error());
    Result<Stores> stores = openStores(shared->store.url, dataDir->path());
    if (!stores) return refuse(stores.error());
    takeSecret(*dataDir, *stores->control);
    RunningAgent agent(
        options, std::move(*dataDir), std::move(*stores), std::move(*runtime), states);
    if (const Status<> opened = agent.open(); !opened) return refuse(opened.error());
    return agent.run();
}

} // namespace weir::run
