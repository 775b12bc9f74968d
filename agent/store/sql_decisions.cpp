// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_audit.h"
#include "agent/store/sql_drills.h"
#include "agent/store/sql_quality.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_versioned.h"
#include "common/base/text.h"

namespace weir::store {
namespace {

Error badRow(std::string table, std::string detail)
{
    return {"bad_row", std::move(table), std::move(detail)};
}

tl::unexpected<Error> gone(std::string code, std::string table)
{
    return fail(
        std::move(code),
        std::move(table),
        "the row is gone; the store's owner puts one back, as in a new store: weirctl store "
        "migrate");
}

MaybeRow<RoutingSwitch> readSwitch(SqlConnection& db)
{
    Statement select(
        db,
        "SELECT mode, version, reason, updated_by, updated_host, updated_at_ms, request_uuid "
        "FROM routing_switch WHERE id = 1");
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    const std::optional<Mode> mode = modeFromWord(select.text(0));
    if (!mode) {
        return tl::unexpected(
            badRow("routing_switch", "unknown mode " + cleaned(select.text(0), 32)));
    }
    return RoutingSwitch{
        *mode,
        select.integer(1),
        select.text(2),
        select.text(3),
        select.text(4),
        fromEpochMs(select.integer(5)),
        select.text(6)};
}

std::string keyList()
{
    std::string keys;
    for (const SettingSpec& spec : settingSpecs())
        keys.append(", ").append(spec.key);
    return keys;
}

MaybeRow<RoutingSettings> readSettings(SqlConnection& db)
{
    static const std::string kSelect =
        "SELECT objective, version, updated_by, updated_at_ms, reason" + keyList() +
        " FROM routing_settings WHERE id = 1";
    Statement select(db, kSelect);
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    RoutingSettings settings;
    settings.objective = select.text(0);
    settings.version = select.integer(1);
    settings.updatedBy = select.text(2);
    settings.updatedAt = fromEpochMs(select.integer(3));
    settings.reason = select.text(4);
    int column = 5;
    for (const SettingSpec& spec : settingSpecs()) {
        settings.numbers.emplace(spec.key, select.real(column++));
    }
    if (const Status<> valid = validate(settings); !valid) {
        return tl::unexpected(badRow("routing_settings", valid.error().text()));
    }
    return settings;
}

constexpr std::string_view kRouteColumns = "model, provider, enabled, fixed_position, score_bias, "
                                           "version, updated_by, updated_at_ms, reason";

RouteSettings routeFrom(const Statement& select)
{
    RouteSettings route;
    route.model = select.text(0);
    route.provider = select.text(1);
    route.enabled = select.integer(2) != 0;
    if (const auto position = select.maybeInteger(3)) {
        route.fixedPosition = static_cast<int>(*position);
    }
    route.scoreBias = select.real(4);
    route.version = select.integer(5);
    route.updatedBy = select.text(6);
    route.updatedAt = fromEpochMs(select.integer(7));
    route.reason = select.text(8);
    return route;
}

MaybeRow<RouteSettings>
readRoute(SqlConnection& db, const std::string& model, const std::string& provider)
{
    static const std::string kSelect = "SELECT " + std::string{kRouteColumns} +
                                       " FROM route_settings WHERE model = ? AND provider = ?";
    Statement select(db, kSelect);
    const Result<bool> found = select.bind(model).bind(provider).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return routeFrom(select);
}

Result<std::vector<RouteSettings>> readRoutes(SqlConnection& db)
{
    static const std::string kSelect =
        "SELECT " + std::string{kRouteColumns} + " FROM route_settings ORDER BY model, provider";
    Statement select(db, kSelect);
    std::vector<RouteSettings> routes;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return routes;
        routes.push_back(routeFrom(select));
    }
}

Status<> updateSettings(
    SqlConnection& db, const RoutingSettings& settings, std::int64_t version, const Authorship& by)
{
    static const std::string kUpdate = [] {
        std::string sql = "UPDATE routing_settings SET objective = ?";
        for (const SettingSpec& spec : settingSpecs()) {
            sql.append(", ").append(spec.key).append(" = ?");
        }
        return sql + ", " + std::string{kAuthorshipSet} + " WHERE id = 1";
    }();
    const std::string at = toIso(by.at);
    Statement update(db, kUpdate);
    update.bind(settings.objective);
    for (const SettingSpec& spec : settingSpecs())
        update.bind(settings.number(spec.key));
    bindAuthorship(update, version, by, at);
    return update.run();
}

Status<> upsertRoute(
    SqlConnection& db, const RouteSettings& route, std::int64_t version, const Authorship& by)
{
    static const std::string kUpdate =
        "UPDATE route_settings SET enabled = ?, fixed_position = ?, score_bias = ?, " +
        std::string{kAuthorshipSet} + " WHERE model = ? AND provider = ?";
    constexpr std::string_view kInsert =
        "INSERT INTO route_settings (enabled, fixed_position, score_bias, version, reason, "
        "updated_by, updated_host, updated_at, request_uuid, model, provider) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const std::string at = toIso(by.at);
    Statement statement(db, version == 1 ? kInsert : std::string_view{kUpdate});
    std::optional<std::int64_t> position;
    if (route.fixedPosition) position = *route.fixedPosition;
    statement.bind(std::int64_t{route.enabled ? 1 : 0}).bind(position).bind(route.scoreBias);
    bindAuthorship(statement, version, by, at);
    return statement.bind(route.model).bind(route.provider).run();
}

} // namespace

Result<Decisions> SqlStore::readDecisions()
{
    MaybeRow<RoutingSwitch> routingSwitch = readSwitch(m_db);
    if (!routingSwitch) return tl::unexpected(routingSwitch.error());
    if (!*routingSwitch) return gone("switch_missing", "routing_switch");
    MaybeRow<RoutingSettings> settings = readSettings(m_db);
    if (!settings) return tl::unexpected(settings.error());
    if (!*settings) return gone("settings_missing", "routing_settings");
    Result<std::vector<RouteSettings>> routes = readRoutes(m_db);
    if (!routes) return tl::unexpected(routes.error());
    Result<std::vector<QualityScore>> scores = readScores(m_db);
    if (!scores) return tl::unexpected(scores.error());
    Result<std::vector<Drill>> drills = openDrills(m_db);
    if (!drills) return tl::unexpected(drills.error());
    Decisions decisions{std::move(**routingSwitch), std::move(**settings), std::move(*routes)};
    decisions.drills = std::move(*drills);
    decisions.scores = std::move(*scores);
    return decisions;
}

Result<Write<RoutingSwitch>> SqlStore::writeSwitch(const SwitchChange& change)
{
    const Authorship by = fitted(change.by);
    const auto read = [this]() -> MaybeRow<RoutingSwitch> {
        MaybeRow<RoutingSwitch> row = readSwitch(m_db);
        if (row && !*row) return gone("switch_missing", "routing_switch");
        return row;
    };
    const auto write = [&]() -> Status<> {
        static const std::string kUpdate =
            "UPDATE routing_switch SET mode = ?, " + std::string{kAuthorshipSet} + " WHERE id = 1";
        const std::string at = toIso(by.at);
        Statement update(m_db, kUpdate);
        update.bind(toWord(change.mode));
        bindAuthorship(update, change.expectedVersion + 1, by, at);
        return update.run();
    };
    return writeVersioned<RoutingSwitch>(
        m_db, "routing_switch", "1", change.expectedVersion, by, read, write);
}

Result<Write<RoutingSettings>> SqlStore::writeSettings(const SettingsChange& change)
{
    if (const Status<> valid = validate(change.settings); !valid)
        return tl::unexpected(valid.error());
    const Authorship by = fitted(change.by);
    const auto read = [this]() -> MaybeRow<RoutingSettings> {
        MaybeRow<RoutingSettings> row = readSettings(m_db);
        if (row && !*row) return gone("settings_missing", "routing_settings");
        return row;
    };
    const auto write = [&] {
        return updateSettings(m_db, change.settings, change.expectedVersion + 1, by);
    };
    return writeVersioned<RoutingSettings>(
        m_db, "routing_settings", "1", change.expectedVersion, by, read, write);
}

Result<Write<RouteSettings>> SqlStore::writeRoute(const RouteChange& change)
{
    const Authorship by = fitted(change.by);
    RouteSettings route = change.route;
    route.model = cleaned(route.model);
    route.provider = cleaned(route.provider);
    const auto read = [&] { return readRoute(m_db, route.model, route.provider); };
    const auto write = [&] { return upsertRoute(m_db, route, change.expectedVersion + 1, by); };
    return writeVersioned<RouteSettings>(
        m_db,
        "route_settings",
        route.model + '/' + route.provider,
        change.expectedVersion,
        by,
        read,
        write);
}

Result<std::vector<AuditEntry>> auditFrom(Statement& select)
{
    std::vector<AuditEntry> entries;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return entries;
        entries.push_back(
            {select.integer(0),
             fromEpochMs(select.integer(1)),
             select.text(2),
             select.text(3),
             select.text(4),
             select.text(5),
             select.text(6),
             select.text(7),
             select.text(8),
             select.integer(9)});
    }
}

Result<std::vector<AuditEntry>> SqlStore::audit(int limit)
{
    static const std::string kSelect =
        "SELECT " + std::string{kAuditColumns} + " FROM settings_audit ORDER BY id DESC LIMIT ?";
    Statement select(m_db, kSelect);
    select.bind(std::int64_t{limit});
    return auditFrom(select);
}

} // namespace weir::store
