// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/agent_client.h"
#include "agent/ctl/capacity_view.h"
#include "agent/ctl/verbs.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

/// Of the status, as the agent wrote it, what belongs here.
nlohmann::ordered_json capacityJson(const std::string& status)
{
    const auto document = nlohmann::ordered_json::parse(status);
    auto models = nlohmann::ordered_json::array();
    for (const auto& model : document.at("models")) {
        models.push_back(
            {{"name", model.at("name")},
             {"failover", model.value("failover", nlohmann::ordered_json::array())}});
    }
    return {{"models", std::move(models)}};
}

} // namespace

Exit run(const CapacityVerb&, const Places& places, const Options& options, const Io& io)
{
    const Result<AgentAddress> agent = places.agent();
    if (!agent) return failed(io, agent.error());
    Waiter waiter;
    const Result<StatusDocument> document = fetchStatus(waiter, *agent);
    if (!document) return failed(io, document.error());
    if (options.json)
        io.out << capacityJson(document->json).dump(2) << '\n';
    else
        print(io, capacityLines(document->status, io.width()));
    return Exit::Done;
}

} // namespace weir::ctl
