// SPDX-License-Identifier: Apache-2.0
#include "common/model/incident_json.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const IncidentEvent& event)
{
    return {{"at_ms", event.atMs}, {"kind", event.kind}, {"detail", event.detail}};
}

/// The text at `key`; nlohmann's own exceptions carry what is wrong with it.
std::string textAt(const Json& json, const char* key)
{
    return json.at(key).get_ref<const std::string&>();
}

/// nlohmann would turn 1.5 and true into 1.
std::int64_t integerAt(const Json& json, const char* key)
{
    const Json& value = json.at(key);
    const bool fits =
        value.is_number_integer() &&
        (!value.is_number_unsigned() ||
         value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    if (!fits) throw Json::type_error::create(302, std::string{key} + " is no integer", &value);
    return value.get<std::int64_t>();
}

IncidentEvent eventFromJson(const Json& json)
{
    return {integerAt(json, "at_ms"), textAt(json, "kind"), textAt(json, "detail")};
}

Incident readIncident(const Json& json)
{
    Incident incident;
    incident.id = textAt(json, "id");
    const auto kind = incidentKindFromWord(textAt(json, "kind"));
    if (!kind) throw Json::other_error::create(501, "kind is not one of an incident", &json);
    incident.kind = *kind;
    incident.key = textAt(json, "key");
    incident.model = textAt(json, "model");
    incident.provider = textAt(json, "provider");
    incident.taskType = textAt(json, "task_type");
    incident.onsetMs = integerAt(json, "onset_ms");
    incident.detectedMs = integerAt(json, "detected_ms");
    incident.peakMs = integerAt(json, "peak_ms");
    if (!json.at("end_ms").is_null()) incident.endMs = integerAt(json, "end_ms");
    const std::int64_t count = integerAt(json, "count");
    if (count < 1 || count > std::numeric_limits<int>::max()) {
        throw Json::other_error::create(501, "count is out of range", &json);
    }
    incident.count = static_cast<int>(count);
    if (!json.at("parent").is_null()) incident.parent = textAt(json, "parent");
    incident.divertedCalls = integerAt(json, "diverted_calls");
    incident.userFailures = integerAt(json, "user_failures");
    incident.extraCostMicroUsd = integerAt(json, "extra_cost_micro_usd");
    for (const Json& event : json.at("events"))
        incident.events.push_back(eventFromJson(event));
    return incident;
}

} // namespace

nlohmann::ordered_json toJson(const Incident& incident)
{
    Json events = Json::array();
    for (const IncidentEvent& event : incident.events)
        events.push_back(toJson(event));
    return {
        {"id", incident.id},
        {"kind", toWord(incident.kind)},
        {"key", incident.key},
        {"model", incident.model},
        {"provider", incident.provider},
        {"task_type", incident.taskType},
        {"onset_ms", incident.onsetMs},
        {"detected_ms", incident.detectedMs},
        {"peak_ms", incident.peakMs},
        {"end_ms", incident.endMs ? Json(*incident.endMs) : Json(nullptr)},
        {"count", incident.count},
        {"parent", incident.parent.empty() ? Json(nullptr) : Json(incident.parent)},
        {"diverted_calls", incident.divertedCalls},
        {"user_failures", incident.userFailures},
        {"extra_cost_micro_usd", incident.extraCostMicroUsd},
        {"events", std::move(events)}};
}

nlohmann::ordered_json toJson(const std::vector<Incident>& incidents)
{
    Json list = Json::array();
    for (const Incident& incident : incidents)
        list.push_back(toJson(incident));
    return list;
}

Result<Incident> incidentFromJson(std::string_view text)
{
    try {
        return readIncident(Json::parse(text));
    } catch (const nlohmann::json::exception& error) {
        return fail("bad_incident", "", error.what());
    }
}

Result<std::vector<Incident>> incidentsFromJson(std::string_view text)
{
    try {
        const Json list = Json::parse(text);
        if (!list.is_array()) return fail("bad_incident", "", "not a list of incidents");
        std::vector<Incident> incidents;
        for (const Json& json : list)
            incidents.push_back(readIncident(json));
        return incidents;
    } catch (const nlohmann::json::exception& error) {
        return fail("bad_incident", "", error.what());
    }
}

} // namespace weir
