// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_events.h"

#include "common/base/siphash.h"
#include "common/routing/incident_signal.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::routing {

std::string incidentId(IncidentKind kind, const std::string& key, std::int64_t onset)
{
    // No secret: the key only has to be the same everywhere.
    constexpr HashKey kKey{0x7765'6972'2069'6e63ULL, 0x6964'656e'7473'2031ULL};
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::string bytes = std::string{toWord(kind)} + '\n' + key + '\n' + std::to_string(onset);
    std::uint64_t hash = sipHash(kKey, bytes);
    std::string id(12, '0');
    for (char& digit : id) {
        digit = kDigits[hash & 15U];
        hash >>= 4U;
    }
    return id;
}

int precedenceOf(IncidentKind kind)
{
    constexpr std::array<IncidentKind, 16> kOrder = {
        IncidentKind::CreditExhausted,
        IncidentKind::Auth,
        IncidentKind::Outage,
        IncidentKind::Slowdown,
        IncidentKind::RateLimitBurst,
        IncidentKind::PartialErrors,
        IncidentKind::RedisEmpty,
        IncidentKind::GateLocal,
        IncidentKind::StaleSummary,
        IncidentKind::UnloadedRateLimit,
        IncidentKind::QualityFlag,
        IncidentKind::PriceDrift,
        IncidentKind::BudgetBurn,
        IncidentKind::Flapping,
        IncidentKind::Demotion,
        IncidentKind::Promotion};
    return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), kind) - kOrder.begin());
}

bool isOfFleet(IncidentKind kind)
{
    return kind == IncidentKind::StaleSummary || kind == IncidentKind::GateLocal ||
           kind == IncidentKind::RedisEmpty;
}

std::string severityText(IncidentKind kind, std::int64_t severity)
{
    switch (kind) {
    case IncidentKind::RateLimitBurst:
        return percentText(severity) + " limited";
    case IncidentKind::Outage:
    case IncidentKind::PartialErrors:
        return percentText(severity) + " failed";
    case IncidentKind::Slowdown:
        return "TTFT " + timesText(severity);
    case IncidentKind::StaleSummary:
        return std::to_string(severity / 60'000) + " min old";
    case IncidentKind::CreditExhausted:
    case IncidentKind::Auth:
        return std::to_string(severity) + " calls refused in a minute";
    case IncidentKind::GateLocal:
        return std::to_string(severity) + " agents";
    case IncidentKind::Flapping:
        return std::to_string(severity) + " changes in an hour";
    default:
        return {};
    }
}

void addEvent(Incident& incident, IncidentEvent event, std::size_t most)
{
    std::vector<IncidentEvent>& events = incident.events;
    if (events.size() >= most) {
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(most / 2));
    }
    events.push_back(std::move(event));
}

void setEvent(Incident& incident, IncidentEvent event, std::size_t most)
{
    const auto same = [&event](const IncidentEvent& e) { return e.kind == event.kind; };
    const auto found = std::find_if(incident.events.begin(), incident.events.end(), same);
    if (found == incident.events.end()) {
        addEvent(incident, std::move(event), most);
    } else {
        *found = std::move(event);
    }
}

} // namespace weir::routing
