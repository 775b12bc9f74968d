// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_plan.h"

#include "agent/config/nearest.h"
#include "agent/ctl/agent_client.h"
#include "agent/http/write.h"
#include "common/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace weir::ctl {
namespace {

constexpr std::uintmax_t kSetBytesMax = std::uintmax_t{256} << 20U;

/// Model → providers, in the order in which they are configured.
using Known = std::vector<std::pair<std::string, std::vector<std::string>>>;

tl::unexpected<Error> usage(std::string where, std::string detail)
{
    return fail("bad_usage", std::move(where), std::move(detail));
}

Result<quality::EvalSet> readSet(const std::string& file)
{
    const std::string shown = cleaned(file, 1000);
    std::error_code error;
    if (std::filesystem::file_size(file, error) > kSetBytesMax && !error) {
        return usage(shown, "is larger than 256 MiB: split the set");
    }
    std::ifstream input(file, std::ios::binary);
    if (std::filesystem::is_directory(file, error) || !input) {
        return usage(shown, "cannot be read");
    }
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    Result<quality::EvalSet> set = quality::readEvalSet(text, shown);
    if (!set) return usage(set.error().where, set.error().detail);
    return set;
}

Known routesOf(const Config& config)
{
    Known known;
    for (const auto& [name, model] : config.models) {
        auto& providers = known.emplace_back(name, std::vector<std::string>{}).second;
        for (const RouteConfig& route : model.routes)
            providers.push_back(route.provider);
    }
    return known;
}

Known routesOf(const AgentStatus& status)
{
    Known known;
    for (const ModelStatus& model : status.models) {
        auto& providers = known.emplace_back(model.name, std::vector<std::string>{}).second;
        for (const RouteStatus& route : model.routes)
            providers.push_back(route.provider);
    }
    return known;
}

const std::vector<std::string>* providersOf(const Known& known, const std::string& model)
{
    const auto found = std::find_if(
        known.begin(), known.end(), [&model](const auto& each) { return each.first == model; });
    return found == known.end() ? nullptr : &found->second;
}

Result<Known> knownRoutes(const Places& places)
{
    if (places.config()) return routesOf(*places.config());
    const Result<AgentAddress> agent = places.agent();
    if (!agent) return tl::unexpected{agent.error()};
    Waiter waiter;
    const Result<StatusDocument> status = fetchStatus(waiter, *agent);
    if (!status) return tl::unexpected{status.error()};
    return routesOf(status->status);
}

template <class Map>
std::string among(std::string_view word, const Map& map)
{
    std::vector<std::string_view> names;
    for (const auto& each : map)
        names.emplace_back(each.first);
    return "does not know " + cleaned(word, 64) + config::suggestion(word, names);
}

/// The models to be asked.
Result<std::vector<std::string>> modelsOf(const EvalRunVerb& verb, const Places& places)
{
    const auto& config = places.config();
    if (config && !config->tasks.contains(verb.taskType)) {
        return usage("--task", "the configuration " + among(verb.taskType, config->tasks));
    }
    if (!verb.models.empty()) return verb.models;
    if (!config) {
        return usage("--model", "is missing: name the models, or the configuration with --config");
    }
    const std::vector<std::string>& ladder = config->tasks.at(verb.taskType).models;
    if (ladder.empty()) return usage("--model", "is missing: the task has no ladder");
    return ladder;
}

Result<std::vector<EvalTarget>>
targetsOf(const EvalRunVerb& verb, const std::vector<std::string>& models, const Known& known)
{
    std::vector<EvalTarget> targets;
    for (const std::string& model : models) {
        const std::vector<std::string>* const providers = providersOf(known, model);
        if (providers == nullptr) return usage("--model", "the agent " + among(model, known));
        for (const std::string& provider : *providers) {
            const bool wanted = verb.providers.empty() ||
                                std::find(verb.providers.begin(), verb.providers.end(), provider) !=
                                    verb.providers.end();
            const EvalTarget target{model, provider};
            const bool isNew = std::find(targets.begin(), targets.end(), target) == targets.end();
            if (wanted && isNew) targets.push_back(target);
        }
    }
    for (const std::string& provider : verb.providers) {
        const bool served = std::any_of(targets.begin(), targets.end(), [&](const auto& each) {
            return each.provider == provider;
        });
        if (!served) {
            return usage("--route", cleaned(provider, 64) + " has no route of the models asked");
        }
    }
    return targets;
}

bool needsGrader(const quality::EvalSet& set)
{
    return std::any_of(set.cases.begin(), set.cases.end(), [](const auto& each) {
        return std::holds_alternative<quality::GradedRule>(each.checker);
    });
}

Result<std::string> fieldsOf(const EvalRunVerb& verb, const config::EnvLookup& env)
{
    std::string fields;
    http::appendField(fields, "X-Weir-Eval", "true");
    http::appendField(fields, "X-Weir-Metadata", "enabled");
    const auto add = [&fields](std::string_view name, const std::string& value) {
        if (!value.empty()) http::appendField(fields, name, cleaned(value));
    };
    add("X-Weir-Task-Type", verb.taskType);
    add("X-Weir-Region", verb.regions);
    add("X-Weir-Terms", verb.terms);
    if (verb.keyEnv.empty()) return fields;
    const std::string key = env(verb.keyEnv).value_or("");
    if (key.empty()) return usage("--key-env", "the environment variable is not set or empty");
    if (cleaned(key, key.size() + 1) != key) {
        return usage("--key-env", "the variable holds characters that no header can have");
    }
    http::appendField(fields, "Authorization", "Bearer " + key);
    return fields;
}

} // namespace

Result<EvalPlan>
planEval(const EvalRunVerb& verb, const Places& places, const config::EnvLookup& env)
{
    EvalPlan plan;
    Result<quality::EvalSet> set = readSet(verb.setFile);
    if (!set) return tl::unexpected{set.error()};
    plan.set = std::move(*set);
    plan.setName = cleaned(std::filesystem::path{verb.setFile}.filename().string());
    plan.taskType = cleaned(verb.taskType);
    plan.grader = verb.grader;
    plan.concurrency = verb.concurrency;
    plan.patience = std::chrono::seconds{verb.patienceS};
    if (plan.grader.empty() && needsGrader(plan.set)) {
        return usage("--grader", "is missing: the set has cases that a model grades");
    }
    Result<std::string> fields = fieldsOf(verb, env);
    if (!fields) return tl::unexpected{fields.error()};
    plan.fields = std::move(*fields);
    Result<AgentAddress> address = places.dataPlane(verb.dataUrl);
    if (!address) return tl::unexpected{address.error()};
    plan.address = std::move(*address);
    const Result<std::vector<std::string>> models = modelsOf(verb, places);
    if (!models) return tl::unexpected{models.error()};
    const Result<Known> known = knownRoutes(places);
    if (!known) return tl::unexpected{known.error()};
    if (!plan.grader.empty() && providersOf(*known, plan.grader) == nullptr) {
        return usage("--grader", "the agent " + among(plan.grader, *known));
    }
    Result<std::vector<EvalTarget>> targets = targetsOf(verb, *models, *known);
    if (!targets) return tl::unexpected{targets.error()};
    plan.targets = std::move(*targets);
    return plan;
}

} // namespace weir::ctl
