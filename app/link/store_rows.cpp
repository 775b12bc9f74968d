// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_rows.h"

#include "app/link/store_connection.h"
#include "common/model/outcome.h"

#include <QSqlQuery>
#include <QStringList>
#include <QVariant>

namespace weir::link {
namespace {

std::string text(const QSqlQuery& query, int column)
{
    return query.value(column).toString().toStdString();
}

std::int64_t integer(const QSqlQuery& query, int column)
{
    return query.value(column).toLongLong();
}

UtcTime time(const QSqlQuery& query, int column)
{
    return fromEpochMs(integer(query, column));
}

tl::unexpected<Error> failed(const QSqlQuery& query)
{
    return fail("store", "", troubleOf(query.lastError()).toStdString());
}

/// "n_server_error + n_reset + …": what the words of the contract call a failure.
QString failureSum()
{
    QStringList columns;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        if (isSuccess(outcome) || isNeutral(outcome)) continue;
        const std::string_view word = toWord(outcome);
        columns << QStringLiteral("n_") +
                       QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
    }
    return columns.join(QStringLiteral(" + "));
}

RouteSlice sliceFrom(const QSqlQuery& query)
{
    RouteSlice slice;
    slice.start = time(query, 0);
    slice.model = text(query, 1);
    slice.provider = text(query, 2);
    slice.attempts = integer(query, 3);
    slice.failures = integer(query, 4);
    slice.rateLimited = integer(query, 5);
    slice.costMicroUsd = integer(query, 6);
    slice.ttftUs = Histogram::decode(text(query, 7)).value_or(Histogram{});
    return slice;
}

void merge(RouteSlice& into, const RouteSlice& slice)
{
    into.attempts += slice.attempts;
    into.failures += slice.failures;
    into.rateLimited += slice.rateLimited;
    into.costMicroUsd += slice.costMicroUsd;
    into.ttftUs.merge(slice.ttftUs);
}

bool isSameCell(const RouteSlice& a, const RouteSlice& b)
{
    return a.start == b.start && a.model == b.model && a.provider == b.provider;
}

} // namespace

Result<RoutingSwitch> readSwitch(QSqlDatabase db)
{
    QSqlQuery query(db);
    const bool isDone = query.exec(QStringLiteral(
        "SELECT mode, version, reason, updated_by, updated_host, updated_at_ms, request_uuid "
        "FROM routing_switch WHERE id = 1"));
    if (!isDone) return failed(query);
    if (!query.next()) return fail("switch_missing", "routing_switch", "the row is missing");
    RoutingSwitch row;
    row.mode = modeFromWord(text(query, 0)).value_or(Mode::Fixed);
    row.version = integer(query, 1);
    row.reason = text(query, 2);
    row.updatedBy = text(query, 3);
    row.updatedHost = text(query, 4);
    row.updatedAt = time(query, 5);
    row.requestUuid = text(query, 6);
    return row;
}

Result<RoutingSettings> readSettings(QSqlDatabase db)
{
    QStringList columns{
        QStringLiteral("objective"),
        QStringLiteral("version"),
        QStringLiteral("updated_by"),
        QStringLiteral("updated_at_ms"),
        QStringLiteral("reason")};
    const int fixedColumns = static_cast<int>(columns.size());
    for (const SettingSpec& spec : settingSpecs()) {
        columns << QString::fromLatin1(spec.key.data(), static_cast<qsizetype>(spec.key.size()));
    }
    QSqlQuery query(db);
    const bool isDone = query.exec(
        QStringLiteral("SELECT ") + columns.join(QStringLiteral(", ")) +
        QStringLiteral(" FROM routing_settings WHERE id = 1"));
    if (!isDone) return failed(query);
    if (!query.next()) return fail("settings_missing", "routing_settings", "the row is missing");
    RoutingSettings settings;
    settings.objective = text(query, 0);
    settings.version = integer(query, 1);
    settings.updatedBy = text(query, 2);
    settings.updatedAt = time(query, 3);
    settings.reason = text(query, 4);
    int column = fixedColumns;
    for (const SettingSpec& spec : settingSpecs()) {
        settings.numbers[std::string{spec.key}] = query.value(column++).toDouble();
    }
    return settings;
}

Result<std::vector<AgentStateRow>> readAgents(QSqlDatabase db)
{
    QSqlQuery query(db);
    const bool isDone = query.exec(QStringLiteral(
        "SELECT agent, service, host, version, effective_mode, mode_reason, switch_version, "
        "settings_version, applied_at_ms, last_seen_at_ms FROM agent_state ORDER BY agent"));
    if (!isDone) return failed(query);
    std::vector<AgentStateRow> rows;
    while (query.next()) {
        AgentStateRow row;
        row.agentId = text(query, 0);
        row.service = text(query, 1);
        row.host = text(query, 2);
        row.version = text(query, 3);
        row.effectiveMode = effectiveModeFromWord(text(query, 4)).value_or(EffectiveMode::Failsafe);
        row.modeReason = text(query, 5);
        row.switchVersion = integer(query, 6);
        row.settingsVersion = integer(query, 7);
        row.appliedAt = time(query, 8);
        row.seenAt = time(query, 9);
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::vector<AuditEntry>> readSwitchAudit(QSqlDatabase db, int limit)
{
    QSqlQuery query(db);
    query.prepare(QStringLiteral(
        "SELECT id, at_ms, who, host, table_name, row_key, old_value, new_value, reason, version "
        "FROM settings_audit WHERE table_name = 'routing_switch' ORDER BY id DESC LIMIT ?"));
    query.addBindValue(limit);
    if (!query.exec()) return failed(query);
    std::vector<AuditEntry> entries;
    while (query.next()) {
        AuditEntry entry;
        entry.id = integer(query, 0);
        entry.at = time(query, 1);
        entry.who = text(query, 2);
        entry.host = text(query, 3);
        entry.table = text(query, 4);
        entry.key = text(query, 5);
        entry.oldValue = text(query, 6);
        entry.newValue = text(query, 7);
        entry.reason = text(query, 8);
        entry.version = integer(query, 9);
        entries.push_back(std::move(entry));
    }
    return entries;
}

Result<std::optional<RoutingSwitch>> readWritten(QSqlDatabase db, const std::string& requestUuid)
{
    QSqlQuery query(db);
    query.prepare(QStringLiteral(
        "SELECT new_value ->> 'mode', version, reason, who, host, at_ms "
        "FROM settings_audit WHERE request_uuid = ? AND table_name = 'routing_switch'"));
    query.addBindValue(QString::fromStdString(requestUuid));
    if (!query.exec()) return failed(query);
    if (!query.next()) return std::optional<RoutingSwitch>{};
    RoutingSwitch row;
    row.mode = modeFromWord(text(query, 0)).value_or(Mode::Fixed);
    row.version = integer(query, 1);
    row.reason = text(query, 2);
    row.updatedBy = text(query, 3);
    row.updatedHost = text(query, 4);
    row.updatedAt = time(query, 5);
    row.requestUuid = requestUuid;
    return std::optional<RoutingSwitch>(row);
}

Result<std::vector<RouteSlice>> readSlices(QSqlDatabase db, Step step, UtcTime from, UtcTime to)
{
    const QString table =
        step == Step::TenSeconds ? QStringLiteral("route_10s") : QStringLiteral("route_minute");
    QSqlQuery query(db);
    query.setForwardOnly(true);
    query.prepare(
        QStringLiteral("SELECT started_at_ms, model, provider, calls, ") + failureSum() +
        QStringLiteral(", n_rate_limited, cost_micro_usd, ttft_us FROM ") + table +
        QStringLiteral(" WHERE started_at_ms >= ? AND started_at_ms < ?"
                       " ORDER BY started_at_ms, model, provider"));
    query.addBindValue(QVariant::fromValue(static_cast<qlonglong>(epochMs(from))));
    query.addBindValue(QVariant::fromValue(static_cast<qlonglong>(epochMs(to))));
    if (!query.exec()) return failed(query);
    std::vector<RouteSlice> slices;
    while (query.next()) {
        RouteSlice slice = sliceFrom(query);
        if (!slices.empty() && isSameCell(slices.back(), slice)) {
            merge(slices.back(), slice);
        } else {
            slices.push_back(std::move(slice));
        }
    }
    return slices;
}

} // namespace weir::link
