// SPDX-License-Identifier: Apache-2.0
#include "common/model/settings_json.h"

#include <nlohmann/json.hpp>

namespace weir {
namespace {

nlohmann::ordered_json objectOrText(const std::string& text)
{
    auto parsed = nlohmann::ordered_json::parse(text, nullptr, false);
    return parsed.is_discarded() ? nlohmann::ordered_json(text) : parsed;
}

} // namespace

nlohmann::ordered_json toJson(const RoutingSwitch& value)
{
    return {
        {"mode", toWord(value.mode)},
        {"version", value.version},
        {"reason", value.reason},
        {"updated_by", value.updatedBy},
        {"updated_host", value.updatedHost},
        {"updated_at", toIso(value.updatedAt)},
        {"request_uuid", value.requestUuid}};
}

nlohmann::ordered_json toJson(const RoutingSettings& value)
{
    nlohmann::ordered_json json{{"objective", value.objective}};
    for (const SettingSpec& spec : settingSpecs()) {
        json[std::string{spec.key}] = value.number(spec.key);
    }
    json["version"] = value.version;
    json["updated_by"] = value.updatedBy;
    json["updated_at"] = toIso(value.updatedAt);
    json["reason"] = value.reason;
    return json;
}

nlohmann::ordered_json toJson(const RouteSettings& value)
{
    return {
        {"model", value.model},
        {"provider", value.provider},
        {"enabled", value.enabled},
        {"fixed_position",
         value.fixedPosition ? nlohmann::ordered_json(*value.fixedPosition) : nullptr},
        {"score_bias", value.scoreBias},
        {"version", value.version},
        {"updated_by", value.updatedBy},
        {"updated_at", toIso(value.updatedAt)},
        {"reason", value.reason}};
}

nlohmann::ordered_json toJson(const AuditEntry& value)
{
    return {
        {"id", value.id},
        {"at", toIso(value.at)},
        {"who", value.who},
        {"host", value.host},
        {"table", value.table},
        {"key", value.key},
        {"old", objectOrText(value.oldValue)},
        {"new", objectOrText(value.newValue)},
        {"reason", value.reason},
        {"version", value.version}};
}

} // namespace weir
