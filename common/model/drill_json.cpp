// SPDX-License-Identifier: Apache-2.0
#include "common/model/drill_json.h"

#include "common/model/degradation_report_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPpm = 1e6;

Json secondsOf(const std::optional<std::int64_t>& ms)
{
    return ms ? Json(static_cast<double>(*ms) / 1e3) : Json(nullptr);
}

double shareOf(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json toJson(const DrillWindow& window)
{
    const std::uint64_t requests = window.ladder.requests;
    Json json{
        {"requests", requests},
        {"user_failures", window.failures()},
        {"failovers", window.failovers},
        {"failover_rate", shareOf(window.failovers, requests)},
        {"providers", Json::object()}};
    for (const auto& [provider, count] : window.providers) {
        json["providers"][provider] = {{"requests", count}, {"share", shareOf(count, requests)}};
    }
    const auto cost = window.costPerRequest();
    json["cost_per_request_micro_usd"] = cost ? Json(*cost) : Json(nullptr);
    json["degradation"] = weir::toJson(window.ladder);
    return json;
}

std::string textAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? std::string{} : found->get<std::string>();
}

UtcTime timeAt(const Json& json, const char* key)
{
    return parseIso(textAt(json, key)).value_or(UtcTime{});
}

std::int64_t ppmAt(const Json& json, const char* key)
{
    return std::llround(json.value(key, 0.0) * kPpm);
}

} // namespace

Json toJson(const Drill& drill)
{
    return {
        {"id", drill.id},
        {"kind", toWord(drill.kind)},
        {"model", drill.model},
        {"provider", drill.provider},
        {"share", static_cast<double>(drill.sharePpm) / kPpm},
        {"delay_ms", drill.delayMs},
        {"starts_at", toIso(drill.startsAt)},
        {"ends_at", toIso(drill.endsAt)},
        {"abort_above", static_cast<double>(drill.abortFailurePpm) / kPpm},
        {"started_by", drill.startedBy},
        {"host", drill.host},
        {"reason", drill.reason},
        {"ended_at", drill.endedAt ? Json(toIso(*drill.endedAt)) : Json(nullptr)},
        {"end_reason", drill.endReason.empty() ? Json(nullptr) : Json(drill.endReason)}};
}

Json toJson(const DrillCounts& counts)
{
    return {
        {"requests", counts.requests},
        {"failures", counts.failures},
        {"touched", counts.touched},
        {"spared", counts.spared}};
}

Json toJson(const DrillStatus& status)
{
    Json json = toJson(status.drill);
    json["left_s"] = status.leftS;
    json["counts"] = toJson(status.counts);
    return json;
}

DrillStatus drillStatusFromJson(const Json& json)
{
    DrillStatus status;
    Drill& drill = status.drill;
    drill.id = textAt(json, "id");
    drill.kind = drillKindFromWord(textAt(json, "kind")).value_or(DrillKind::Breaker);
    drill.model = textAt(json, "model");
    drill.provider = textAt(json, "provider");
    drill.sharePpm = ppmAt(json, "share");
    drill.delayMs = json.value("delay_ms", std::int64_t{0});
    drill.startsAt = timeAt(json, "starts_at");
    drill.endsAt = timeAt(json, "ends_at");
    drill.abortFailurePpm = ppmAt(json, "abort_above");
    drill.startedBy = textAt(json, "started_by");
    drill.host = textAt(json, "host");
    drill.reason = textAt(json, "reason");
    if (const UtcTime ended = timeAt(json, "ended_at"); ended != UtcTime{}) drill.endedAt = ended;
    drill.endReason = textAt(json, "end_reason");
    status.leftS = json.value("left_s", 0.0);
    const Json counts = json.value("counts", Json::object());
    status.counts.requests = counts.value("requests", std::int64_t{0});
    status.counts.failures = counts.value("failures", std::int64_t{0});
    status.counts.touched = counts.value("touched", std::int64_t{0});
    status.counts.spared = counts.value("spared", std::int64_t{0});
    return status;
}

Json toJson(const DrillReport& report)
{
    return {
        {"drill", toJson(report.drill)},
        {"aborted", report.drill.endReason == "aborted"},
        {"counts", toJson(report.counts)},
        {"traffic_left_after_s", secondsOf(report.leftMs)},
        {"traffic_back_after_s", secondsOf(report.backMs)},
        {"before", toJson(report.before)},
        {"during", toJson(report.during)},
        {"after", toJson(report.after)}};
}

} // namespace weir
