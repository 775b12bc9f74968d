// SPDX-License-Identifier: Apache-2.0
#include "agent/run/log.h"

#include "agent/config/warnings.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace weir::run {

void startLog()
{
    auto logger = spdlog::stderr_logger_mt("weir");
    logger->set_pattern("time=%Y-%m-%dT%H:%M:%S.%eZ level=%l %v", spdlog::pattern_time_type::utc);
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

void logWarnings(const Config& config)
{
    for (const std::string& warning : config::warningsOf(config))
        spdlog::warn("event=config_warning detail=\"{}\"", warning);
}

void logGate(const fleet::RouteStates::Key& route, const routing::GateEvent& event)
{
    spdlog::info(
        "event=gate what={} model={} provider={} before_mrps={} after_mrps={} attempts={} "
        "failures={} hold={}",
        toWord(event.kind),
        route.first,
        route.second,
        event.beforeMilliRps,
        event.afterMilliRps,
        event.attempts,
        event.failures,
        toWord(event.hold));
}

} // namespace weir::run
