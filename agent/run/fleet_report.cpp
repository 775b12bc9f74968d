// SPDX-License-Identifier: Apache-2.0
#include "agent/run/fleet_report.h"

#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace weir::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kLevels{"none", "ticket", "page"};

Json toJson(const routing::BudgetStatus& budget)
{
    return {
        {"model", budget.model},
        {"provider", budget.provider},
        {"slo", routing::toWord(budget.slo)},
        {"burn_milli", budget.burnMilli},
        {"left_ppm", budget.leftPpm ? Json(*budget.leftPpm) : Json(nullptr)},
        {"level", kLevels.at(static_cast<std::size_t>(budget.level))},
        {"since_ms", budget.sinceMs},
        {"text", budget.text}};
}

/// Throws what nlohmann throws, and std::out_of_range for a word that it does not know.
routing::BudgetStatus budgetFrom(const Json& json)
{
    routing::BudgetStatus budget;
    json.at("model").get_to(budget.model);
    json.at("provider").get_to(budget.provider);
    const auto slo =
        std::ranges::find(routing::kSlos, json.at("slo").get<std::string>(), [](routing::Slo each) {
            return routing::toWord(each);
        });
    if (slo == routing::kSlos.end()) throw std::out_of_range("unknown SLO");
    budget.slo = *slo;
    json.at("burn_milli").get_to(budget.burnMilli);
    if (!json.at("left_ppm").is_null()) budget.leftPpm = json.at("left_ppm").get<std::int64_t>();
    const auto level = std::ranges::find(kLevels, json.at("level").get<std::string>());
    if (level == kLevels.end()) throw std::out_of_range("unknown level");
    budget.level = static_cast<routing::BurnLevel>(level - kLevels.begin());
    json.at("since_ms").get_to(budget.sinceMs);
    json.at("text").get_to(budget.text);
    return budget;
}

} // namespace

std::string encode(const FleetReport& report)
{
    Json failover = Json::object();
    for (const auto& [model, routes] : report.failover) {
        Json& list = failover[model] = Json::array();
        for (const FailoverStatus& route : routes)
            list.push_back(weir::toJson(route));
    }
    Json budgets = Json::array();
    for (const routing::BudgetStatus& budget : report.budgets)
        budgets.push_back(toJson(budget));
    const Json json{
        {"failover", std::move(failover)},
        {"budgets", std::move(budgets)},
        {"judged_until_ms", report.judgedUntilMs}};
    return json.dump();
}

Result<FleetReport> fleetReportFrom(std::string_view text)
{
    try {
        const Json json = Json::parse(text);
        FleetReport report;
        for (const auto& [model, routes] : json.at("failover").items()) {
            for (const Json& route : routes)
                report.failover[model].push_back(failoverFromJson(route));
        }
        for (const Json& budget : json.at("budgets"))
            report.budgets.push_back(budgetFrom(budget));
        json.at("judged_until_ms").get_to(report.judgedUntilMs);
        return report;
    } catch (const std::exception& error) {
        return fail("bad_fleet_report", "fleet_report", error.what());
    }
}

} // namespace weir::run
