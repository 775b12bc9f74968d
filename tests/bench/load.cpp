// SPDX-License-Identifier: Apache-2.0

// weir-bench-load: sends chat requests to a port of 127.0.0.1 for a bounded time and prints one
// line of JSON with what it saw. Options: load_options.h.

#include "tests/bench/load_run.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace {

using weir::Histogram;
using Json = nlohmann::ordered_json;

Json quantiles(const Histogram& histogram)
{
    Json json;
    for (const auto& [name, q] :
         {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1.0}}) {
        const auto value = histogram.quantile(q);
        json[name] = value ? Json(static_cast<double>(*value) / 1000.0) : Json(nullptr);
    }
    return json;
}

} // namespace

int main(int count, char** words)
{
    const auto options = weir::bench::LoadOptions::read(count, words);
    if (!options) {
        std::fprintf(stderr, "weir-bench-load: %s\n", options.error().text().c_str());
        return 2;
    }
    const auto run = std::make_unique<weir::bench::LoadRun>(*options);
    const auto result = run->run();
    if (!result) {
        std::fprintf(stderr, "weir-bench-load: %s\n", result.error().text().c_str());
        return 1;
    }
    const Json json{
        {"completed", result->completed},
        {"completed_all", result->completedAll},
        {"chunks_all", result->chunksAll},
        {"errors", result->errors},
        {"unfinished", result->unfinished},
        {"reconnects", result->reconnects},
        {"per_s", static_cast<double>(result->completed) / result->seconds},
        {"latency_us", quantiles(result->latency)},
        {"first_us", quantiles(result->first)},
        {"travel_us", quantiles(result->travel)},
        {"own_cpu_s", static_cast<double>(weir::bench::cpuNs()) / 1e9}};
    std::printf("%s\n", json.dump().c_str());
}
