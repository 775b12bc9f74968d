// SPDX-License-Identifier: Apache-2.0
#include "agent/store/first_rows.h"

#include "agent/store/sql_fleet.h"
#include "common/base/text.h"
#include "common/model/settings.h"

#include <utility>

namespace weir::store {
namespace {

Status<> writeDecisions(SqlConnection& db, const std::string& host, UtcTime now)
{
    const std::string at = toIso(now);
    const std::string where = cleaned(host);
    Statement first(
        db,
        "INSERT INTO routing_switch (id, mode, version, reason, updated_by, updated_host, "
        "updated_at) "
        "VALUES (1, 'fixed', 1, 'first start: a person turns routing on', 'weir-agent', ?, ?)");
    if (Status<> written = first.bind(where).bind(at).run(); !written) return written;
    static const std::string kInsert = [] {
        std::string keys;
        std::string values;
        for (const SettingSpec& spec : settingSpecs()) {
            keys.append(", ").append(spec.key);
            values += ", ?";
        }
        return "INSERT INTO routing_settings (id, objective, version, reason, updated_by, "
               "updated_host, updated_at" +
               keys + ") VALUES (1, ?, 1, 'first start: standard settings', 'weir-agent', ?, ?" +
               values + ")";
    }();
    const RoutingSettings standard = standardSettings();
    Statement settings(db, kInsert);
    settings.bind(standard.objective).bind(where).bind(at);
    for (const SettingSpec& spec : settingSpecs())
        settings.bind(standard.number(spec.key));
    return settings.run();
}

} // namespace

WriteRows rowsWriter(std::string host, UtcTime now)
{
    return [host = std::move(host), now](SqlConnection& db, std::int64_t from) -> Status<> {
        if (from == 0) {
            if (Status<> written = writeDecisions(db, host, now); !written) return written;
        }
        return writeSecret(db);
    };
}

} // namespace weir::store
