// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/learned_store.h"
#include "agent/store/lease_store.h"
#include "common/model/config.h"
#include "common/model/policy.h"
#include "common/model/summary.h"
#include "common/routing/learner.h"
#include "common/routing/pool_setup.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::run {

/// What the job knows of the routes besides their calls.
struct SummaryInputs
{
    std::shared_ptr<const Config> config;
    RoutingPolicy policy;
    std::vector<RouteSettings> settings;
    /// Gate of a route, by model and provider; fills in what concerns gates.
    std::function<void(const std::string& model, routing::RouteSetup& route)> gate;
    /// Demand of a model, in thousandths of a request per second.
    std::function<std::int64_t(const std::string& model)> demand;
    std::int64_t nowMs = 0;
};

/// The summary job on one store: reads on in the ledger from where it stopped, and makes the next
/// summary from the one before. Only at the start, and where the configuration's routes changed, it
/// reads the last 48 hours. Belongs to one thread.
class SummaryJob final
{
public:
    /// What it saves, it saves under the lease.
    SummaryJob(store::LearnedStore& store, store::Lease lease);

    /// The newest one saved, where it can be read; the next is made from it.
    [[nodiscard]] Result<std::optional<Summary>> restore();

    /// Sees every row as it is read.
    std::function<void(const store::FactRow&)> observe;
    /// Asked before each page of a long reading; an error ends it.
    std::function<Status<>()> keepAlive = [] { return Status<>{}; };

    /// Reads what came in since, without making a summary.
    [[nodiscard]] Status<> catchUp(const SummaryInputs& inputs);

    /// The next summary, saved already, so that a decision made by it can always be recomputed.
    [[nodiscard]] Result<Summary> run(const SummaryInputs& inputs);

private:
    struct Model
    {
        /// In the order of the configuration.
        std::vector<std::string> providers;
        std::map<std::string, std::uint16_t> pools;
    };

    using PoolKey = std::pair<std::string, std::string>;

    [[nodiscard]] static std::map<std::string, Model> modelsOf(const Config& config);
    [[nodiscard]] bool fits(const Config& config) const;
    [[nodiscard]] Status<> begin(const SummaryInputs& inputs);
    [[nodiscard]] Status<> readOn();
    std::uint16_t poolOf(const std::string& model, const std::string& taskType);
    void add(store::FactRow& row);
    [[nodiscard]] std::vector<routing::PoolSetup> setups(const SummaryInputs& inputs) const;
    [[nodiscard]] Status<> save(const Summary& summary);

    store::LearnedStore& m_store;
    store::Lease m_lease;
    Summary m_previous;
    std::unique_ptr<routing::Learner> m_learner;
    std::map<std::string, Model> m_models;
    /// By the learner's index.
    std::vector<PoolKey> m_pools;
    store::FactCursor m_row;
};

} // namespace weir::run
