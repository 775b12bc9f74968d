// SPDX-License-Identifier: Apache-2.0
#include "agent/run/summary_job.h"

#include "common/model/summary_json.h"
#include "common/routing/fixed_order.h"
#include "common/routing/summarise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace weir::run {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kHistoryMs = 48 * kHourMs;
constexpr std::int64_t kKeptMs = 90 * 24 * kHourMs;
/// Callers name task types: whoever invents new ones all the time shares the pool `default`.
constexpr std::size_t kPoolsMax = 512;
constexpr const char* kDefaultType = "default";

/// Settings, and a place of its own in the fixed order for every route.
void setRoute(
    routing::RouteSetup& setup,
    const RouteConfig& route,
    const std::string& model,
    const std::vector<RouteSettings>& settings)
{
    setup.provider = route.provider;
    setup.price = route.price;
    const RouteSettings* const own = routing::settingsOf(settings, model, route.provider);
    if (own == nullptr) return;
    setup.enabled = own->enabled;
    setup.biasPpm = std::llround(own->scoreBias * static_cast<double>(kPpm));
}

void setPositions(
    routing::PoolSetup& pool, const ModelConfig& model, const std::vector<RouteSettings>& settings)
{
    const std::vector<std::string> order = routing::fixedOrder(model, settings);
    std::size_t behind = order.size();
    for (routing::RouteSetup& route : pool.routes) {
        const auto place = std::find(order.begin(), order.end(), route.provider);
        const std::size_t position =
            place == order.end() ? behind++ : static_cast<std::size_t>(place - order.begin());
        route.fixedPosition = static_cast<std::uint16_t>(position);
    }
}

} // namespace

SummaryJob::SummaryJob(store::LearnedStore& store, store::Lease lease)
    : m_store(store)
    , m_lease(std::move(lease))
{
}

Result<std::optional<Summary>> SummaryJob::restore()
{
    const Result<std::optional<store::SummaryRow>> row = m_store.latestSummary({});
    if (!row) return tl::unexpected(row.error());
    if (!*row) return std::nullopt;
    Result<Summary> summary = summaryFromJson((*row)->json);
    if (!summary) return tl::unexpected(summary.error());
    m_previous = *summary;
    return std::optional<Summary>{std::move(*summary)};
}

std::map<std::string, SummaryJob::Model> SummaryJob::modelsOf(const Config& config)
{
    std::map<std::string, Model> models;
    for (const auto& [name, model] : config.models) {
        for (const RouteConfig& route : model.routes)
            models[name].providers.push_back(route.provider);
    }
    return models;
}

bool SummaryJob::fits(const Config& config) const
{
    const std::map<std::string, Model> wanted = modelsOf(config);
    return std::equal(
        wanted.begin(),
        wanted.end(),
        m_models.begin(),
        m_models.end(),
        [](const auto& a, const auto& b) {
            return a.first == b.first && a.second.providers == b.second.providers;
        });
}

Status<> SummaryJob::begin(const SummaryInputs& inputs)
{
    // The grid of minutes goes on where the summary before had it.
    const bool known = m_previous.computedAtMs != 0;
    m_learner = std::make_unique<routing::Learner>(known ? m_previous.originMs : inputs.nowMs);
    m_learner->advanceTo(inputs.nowMs);
    m_models = modelsOf(*inputs.config);
    m_pools.clear();
    for (const auto& [name, model] : m_models)
        poolOf(name, kDefaultType);
    const Result<store::FactCursor> row = m_store.rowBefore(inputs.nowMs - kHistoryMs);
    if (!row) {
        m_learner.reset();
        return tl::unexpected(row.error());
    }
    m_row = *row;
    return {};
}

std::uint16_t SummaryJob::poolOf(const std::string& model, const std::string& taskType)
{
    std::map<std::string, std::uint16_t>& pools = m_models[model].pools;
    const auto known = pools.find(taskType);
    if (known != pools.end()) return known->second;
    if (m_pools.size() >= kPoolsMax && taskType != kDefaultType) return pools.at(kDefaultType);
    const auto index = static_cast<std::uint16_t>(m_pools.size());
    m_pools.emplace_back(model, taskType);
    pools.emplace(taskType, index);
    return index;
}

void SummaryJob::add(store::FactRow& row)
{
    // No caller waited for it, and its prompts are not theirs. What it says of the provider its
    // gate and breaker have heard.
    if (row.fact.aside) return;
    if (observe) observe(row);
    const auto model = m_models.find(row.model);
    if (model == m_models.end()) return;
    const std::vector<std::string>& providers = model->second.providers;
    const auto route = std::find(providers.begin(), providers.end(), row.provider);
    if (route == providers.end()) return;
    row.fact.pool = poolOf(row.model, row.taskType.empty() ? kDefaultType : row.taskType);
    row.fact.route = static_cast<std::uint16_t>(route - providers.begin());
    m_learner->add(row.fact);
}

Status<> SummaryJob::readOn()
{
    for (;;) {
        if (Status<> alive = keepAlive(); !alive) return alive;
        Result<std::vector<store::FactRow>> rows = m_store.facts(m_row, store::kFactPageMax);
        if (!rows) return tl::unexpected(rows.error());
        for (store::FactRow& row : *rows)
            add(row);
        if (!rows->empty()) m_row = rows->back().at;
        if (rows->size() < static_cast<std::size_t>(store::kFactPageMax)) return {};
    }
}

std::vector<routing::PoolSetup> SummaryJob::setups(const SummaryInputs& inputs) const
{
    std::vector<routing::PoolSetup> setups;
    for (const auto& [model, taskType] : m_pools) {
        const ModelConfig& config = inputs.config->models.at(model);
        routing::PoolSetup& pool = setups.emplace_back();
        pool.model = model;
        pool.taskType = taskType;
        pool.demandMilliRps = inputs.demand(model);
        pool.intervalMs = std::chrono::milliseconds{inputs.config->timing.summaryInterval}.count();
        for (const RouteConfig& route : config.routes) {
            routing::RouteSetup& setup = pool.routes.emplace_back();
            setRoute(setup, route, model, inputs.settings);
            inputs.gate(model, setup);
        }
        setPositions(pool, config, inputs.settings);
    }
    return setups;
}

Status<> SummaryJob::save(const Summary& summary)
{
    store::SummaryRow row;
    row.id = summary.id;
    row.computedAtMs = summary.computedAtMs;
    row.settingsVersion = summary.settingsVersion;
    row.json = toJson(summary).dump();
    if (Status<> saved = m_store.insertSummary(row, m_lease); !saved) return saved;
    const Result<std::int64_t> pruned = m_store.pruneSummaries(summary.computedAtMs - kKeptMs);
    if (!pruned) return tl::unexpected(pruned.error());
    return {};
}

Status<> SummaryJob::catchUp(const SummaryInputs& inputs)
{
    if (!m_learner || !fits(*inputs.config)) {
        if (Status<> begun = begin(inputs); !begun) return begun;
    }
    m_learner->advanceTo(inputs.nowMs);
    return readOn();
}

Result<Summary> SummaryJob::run(const SummaryInputs& inputs)
{
    if (const Status<> read = catchUp(inputs); !read) return tl::unexpected(read.error());
    const std::vector<routing::PoolSetup> pools = setups(inputs);
    Summary summary =
        routing::summarise(m_previous, *m_learner, pools, inputs.policy, inputs.nowMs);
    if (const Status<> saved = save(summary); !saved) return tl::unexpected(saved.error());
    m_previous = summary;
    return summary;
}

} // namespace weir::run
