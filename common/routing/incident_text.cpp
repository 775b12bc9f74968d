// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_text.h"

#include "common/base/time.h"

namespace weir::routing {

std::string_view incidentMeaning(IncidentKind kind)
{
    switch (kind) {
    case IncidentKind::RateLimitBurst:
        return "The provider turned calls away with 429s.";
    case IncidentKind::Slowdown:
        return "First tokens came much later than over the 48 hours before.";
    case IncidentKind::Outage:
        return "The route's breaker stayed open, or most answers failed.";
    case IncidentKind::PartialErrors:
        return "More than a tenth of the answers failed.";
    case IncidentKind::CreditExhausted:
        return "The account ran out of credit.";
    case IncidentKind::Auth:
        return "The provider refused the key.";
    case IncidentKind::StaleSummary:
        return "No new summary was published: the fixed order served.";
    case IncidentKind::GateLocal:
        return "Agents ran their gates on their own, without the shared state.";
    case IncidentKind::RedisEmpty:
        return "The shared gates had lost their state.";
    case IncidentKind::Promotion:
        return "Another route took the lead.";
    case IncidentKind::Demotion:
        return "A failing route lost the lead.";
    case IncidentKind::Flapping:
        return "The lead changed too often.";
    case IncidentKind::PriceDrift:
        return "The provider bills other prices than the configured ones.";
    case IncidentKind::QualityFlag:
        return "The route's answers are flagged for their quality.";
    case IncidentKind::UnloadedRateLimit:
        return "429s came that load does not explain.";
    case IncidentKind::BudgetBurn:
        return "The provider's error budget burns too fast.";
    }
    return {};
}

std::string momentText(std::int64_t ms)
{
    std::string text = toIso(fromEpochMs(ms));
    if (text.ends_with(".000Z")) text.replace(text.size() - 5, 5, "Z");
    return text;
}

std::string spanText(std::int64_t ms)
{
    const std::int64_t minutes = ms / 60'000;
    if (minutes < 60) return std::to_string(minutes) + " min";
    return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string moneyText(std::int64_t microUsd)
{
    const std::int64_t units = (microUsd < 0 ? -microUsd : microUsd) / 100;
    std::string fraction = std::to_string(10'000 + units % 10'000);
    fraction[0] = '.';
    return (microUsd < 0 ? "-$" : "$") + std::to_string(units / 10'000) + fraction;
}

std::string markdownText(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*_[]<>|#";
    std::string out;
    for (const char c : text) {
        if (kMarkup.find(c) != std::string_view::npos) out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

} // namespace weir::routing
