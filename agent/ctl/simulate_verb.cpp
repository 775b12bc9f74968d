// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/simulate_view.h"
#include "agent/ctl/verbs.h"
#include "common/base/text.h"
#include "common/sim/result_json.h"
#include "common/sim/scenario_json.h"
#include "common/sim/simulation.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

namespace weir::ctl {
namespace {

Result<sim::Scenario> read(const SimulateVerb& verb)
{
    std::error_code error;
    std::ifstream file(verb.scenarioFile, std::ios::binary);
    if (std::filesystem::is_directory(verb.scenarioFile, error) || !file) {
        return fail("no_scenario", cleaned(verb.scenarioFile, 1000), "cannot be read");
    }
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    Result<sim::Scenario> scenario = sim::readScenario(text, cleaned(verb.scenarioFile, 1000));
    if (!scenario) return scenario;
    if (verb.policy) scenario->policy = *verb.policy;
    if (verb.seed) scenario->seed = *verb.seed;
    return scenario;
}

} // namespace

Exit run(const SimulateVerb& verb, const Options& options, const Io& io)
{
    const Result<sim::Scenario> scenario = read(verb);
    if (!scenario) {
        failed(io, scenario.error());
        return Exit::Usage;
    }
    // Opened before the run, so that nobody waits for a result that cannot be kept.
    std::ofstream out;
    if (!verb.outFile.empty()) {
        out.open(verb.outFile, std::ios::binary | std::ios::trunc);
        if (!out) return failed(io, cleaned(verb.outFile, 1000) + ": cannot be written");
    }
    const sim::SimResult result = sim::simulate(*scenario);
    if (!verb.outFile.empty()) {
        out << sim::toJson(result, *scenario).dump(1) << '\n';
        out.close();
        if (!out) return failed(io, cleaned(verb.outFile, 1000) + ": cannot be written");
    }
    if (options.json) {
        io.out << sim::totalsJson(result).dump(2) << '\n';
    } else {
        print(io, simulationLines(result, *scenario, io.width()));
    }
    return Exit::Done;
}

} // namespace weir::ctl
