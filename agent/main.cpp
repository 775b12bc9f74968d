// SPDX-License-Identifier: Apache-2.0
#include "agent/config/environment.h"
#include "agent/config/load.h"
#include "agent/config/warnings.h"
#include "agent/net/clock.h"
#include "agent/proxy/runtime.h"
#include "agent/run/agent.h"
#include "common/model/config_json.h"

#include <CLI/CLI.hpp>
#include <malloc.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace {

constexpr int kBadUsage = 2;

int check(const weir::Config& config)
{
    const weir::Instant now = weir::net::monotonicNow();
    weir::fleet::RouteStates states({}, now, weir::net::utcNow());
    const auto runtime =
        weir::proxy::makeRuntime(std::make_shared<const weir::Config>(config), states, now);
    if (!runtime) {
        std::cerr << "weir-agent: " << runtime.error().text() << '\n';
        return kBadUsage;
    }
    for (const std::string& warning : weir::config::warningsOf(config))
        std::cerr << "weir-agent: warning: " << warning << '\n';
    std::cout << weir::toJson(config).dump(2) << '\n';
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    // Large bodies come and go: memory that was mapped for one is kept for the next, and a few
    // threads need no arena each.
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
    ::mallopt(M_ARENA_MAX, 2);

    CLI::App app{"Routes LLM requests to the best provider: a sidecar beside each service."};
    weir::run::AgentOptions options;
    bool checkOnly = false;
    std::string configFile;
    std::string dataDir = weir::config::defaultDataDir(weir::config::processEnvironment());
    app.add_option("--config", configFile, "The configuration file (TOML)")->required();
    app.add_option("--data-dir", dataDir, "Where ledger, spool and agent id are kept")
        ->capture_default_str();
    app.add_flag(
        "--check", checkOnly, "Check the configuration, print what is in effect, and exit");
    app.set_version_flag("--version", "weir-agent " + weir::run::version());
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        return code == 0 ? 0 : kBadUsage;
    }
    auto config = weir::config::load(configFile, weir::config::processEnvironment());
    if (!config) {
        for (const weir::config::ConfigError& error : config.error()) {
            std::cerr << "weir-agent: " << error.text() << '\n';
        }
        return kBadUsage;
    }
    if (checkOnly) return check(*config);
    options.configFile = configFile;
    options.dataDir = dataDir;
    return weir::run::runAgent(options, std::move(*config));
}
