// SPDX-License-Identifier: Apache-2.0
#include "agent/store/first_rows.h"

#include "agent/store/sql_fleet.h"
#include "common/base/text.h"
#include "common/model/settings.h"

#include <utility>

namespace weir::store {
namespace {

Result<bool> isEmpty(SqlConnection& db, const std::string& table)
{
    Statement count(db, "SELECT count(*) FROM " + table);
    const Result<bool> counted = count.next();
    if (!counted) return tl::unexpected(counted.error());
    return count.integer(0) == 0;
}

std::string nextVersion(const std::string& table)
{
    return "(SELECT coalesce(max(version), 0) + 1 FROM settings_audit WHERE table_name = '" +
           table + "')";
}

Status<> writeSwitch(SqlConnection& db, const std::string& where, const std::string& at)
{
    static const std::string kInsert =
        "INSERT INTO routing_switch (id, mode, version, reason, updated_by, updated_host, "
        "updated_at) VALUES (1, 'fixed', " +
        nextVersion("routing_switch") +
        ", 'there was none: a person turns routing on', 'weir-agent', ?, ?)";
    return Statement(db, kInsert).bind(where).bind(at).run();
}

Status<> writeSettings(SqlConnection& db, const std::string& where, const std::string& at)
{
    static const std::string kInsert = [] {
        std::string keys;
        std::string values;
        for (const SettingSpec& spec : settingSpecs()) {
            keys.append(", ").append(spec.key);
            values += ", ?";
        }
        return "INSERT INTO routing_settings (id, objective, version, reason, updated_by, "
               "updated_host, updated_at" +
               keys + ") VALUES (1, ?, " + nextVersion("routing_settings") +
               ", 'there were none: standard settings', 'weir-agent', ?, ?" + values + ")";
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
            const Result<std::int64_t> written = writeMissingRows(db, host, now);
            if (!written) return tl::unexpected(written.error());
        }
        return writeSecret(db);
    };
}

Result<std::int64_t> writeMissingRows(SqlConnection& db, const std::string& host, UtcTime now)
{
    const std::string at = toIso(now);
    const std::string where = cleaned(host);
    std::int64_t count = 0;
    for (const auto& [table, write] :
         {std::pair{"routing_switch", &writeSwitch},
          std::pair{"routing_settings", &writeSettings}}) {
        const Result<bool> isGone = isEmpty(db, table);
        if (!isGone) return tl::unexpected(isGone.error());
        if (!*isGone) continue;
        if (const Status<> written = write(db, where, at); !written) {
            return tl::unexpected(written.error());
        }
        ++count;
    }
    return count;
}

} // namespace weir::store
