// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_audit.h"

#include "app/model/format.h"
#include "common/base/number.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <array>

namespace weir::model {
namespace {

constexpr std::string_view kSettings = "routing_settings";
constexpr std::string_view kRoutes = "route_settings";
constexpr std::string_view kSwitch = "routing_switch";
constexpr std::string_view kNone = "none";

/// Of every row: they say who and when, which the entry does already.
bool isAuthorship(const QString& column)
{
    static const std::array kColumns{
        QStringLiteral("version"),
        QStringLiteral("reason"),
        QStringLiteral("updated_by"),
        QStringLiteral("updated_host"),
        QStringLiteral("updated_at"),
        QStringLiteral("updated_at_ms"),
        QStringLiteral("request_uuid"),
        QStringLiteral("id"),
        QStringLiteral("model"),
        QStringLiteral("provider")};
    return std::ranges::find(kColumns, column) != kColumns.end();
}

QJsonObject objectOf(const std::string& text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

/// As an assignment would write it; one database says true, the other 1.
std::string textOf(const QString& column, const QJsonValue& value)
{
    if (column == QStringLiteral("enabled")) {
        const bool isOn = value.isBool() ? value.toBool() : value.toInt() != 0;
        return isOn ? "true" : "false";
    }
    if (value.isBool()) return value.toBool() ? "true" : "false";
    if (value.isDouble()) return shortestText(value.toDouble());
    if (value.isString()) return value.toString().toStdString();
    if (value.isNull() || value.isUndefined()) return std::string{kNone};
    const QJsonDocument document =
        value.isArray() ? QJsonDocument(value.toArray()) : QJsonDocument(value.toObject());
    return document.toJson(QJsonDocument::Compact).toStdString();
}

reports::RouteName routeOf(const QJsonObject& row)
{
    return {
        row[QStringLiteral("model")].toString().toStdString(),
        row[QStringLiteral("provider")].toString().toStdString()};
}

/// "12.2 10:07:12Z" would be short; a year is what an audit is read for.
QString timeText(UtcTime at)
{
    return QDateTime::fromMSecsSinceEpoch(epochMs(at), Qt::UTC)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss'Z'"));
}

QString changesText(const std::vector<reports::Change>& changes)
{
    QStringList texts;
    for (const reports::Change& change : changes) {
        const bool isRoute = reports::isRouteKey(change.key);
        const std::string name =
            isRoute ? change.key.substr(change.key.rfind('.') + 1) : change.key;
        texts
            << (change.before.empty() ? plain(name) + QStringLiteral(": ") + plain(change.after)
                                      : plain(name) + QStringLiteral(": ") + plain(change.before) +
                                            QStringLiteral(" → ") + plain(change.after));
    }
    return texts.join(QStringLiteral(", "));
}

bool isIn(const GridRow& row, const QStringList& words)
{
    QString all;
    for (const GridCell& cell : row.cells)
        all += cell.text + QChar('\n');
    return std::ranges::all_of(
        words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace

std::vector<reports::Change> changesOf(const AuditEntry& entry)
{
    const QJsonObject before = objectOf(entry.oldValue);
    const QJsonObject after = objectOf(entry.newValue);
    std::vector<reports::Change> changes;
    for (auto field = after.begin(); field != after.end(); ++field) {
        if (isAuthorship(field.key())) continue;
        const QJsonValue old = before.value(field.key());
        if (old == field.value()) continue;
        std::string key = field.key().toStdString();
        if (entry.table == kRoutes) key = reports::routeKey(routeOf(after), key);
        const std::string was = before.isEmpty() ? std::string{} : textOf(field.key(), old);
        const std::string now = textOf(field.key(), field.value());
        if (was != now) changes.push_back({std::move(key), was, now});
    }
    return changes;
}

QString subjectOf(const AuditEntry& entry)
{
    if (entry.table == kSettings) return QStringLiteral("settings");
    if (entry.table == kRoutes) return QStringLiteral("route ") + plain(entry.key);
    if (entry.table == kSwitch) return QStringLiteral("switch");
    return plain(entry.table) + QChar(' ') + plain(entry.key);
}

std::map<std::string, LastChange, std::less<>> lastChanges(const std::vector<AuditEntry>& entries)
{
    std::map<std::string, LastChange, std::less<>> last;
    for (const AuditEntry& entry : entries) {
        if (entry.table != kSettings && entry.table != kRoutes) continue;
        for (const reports::Change& change : changesOf(entry)) {
            // The first row of all is nobody's change.
            if (change.before.empty() && entry.table == kSettings) continue;
            last.try_emplace(change.key, LastChange{entry.who, entry.at, entry.version});
        }
    }
    return last;
}

Result<std::vector<reports::Value>> revertOf(const AuditEntry& entry)
{
    const auto refused = [&entry](std::string why) {
        return fail("no_revert", subjectOf(entry).toStdString(), std::move(why));
    };
    if (entry.table == kSwitch) {
        return refused("The switch is turned in its own dialog, Ctrl+Shift+O.");
    }
    if (entry.table != kSettings && entry.table != kRoutes) {
        return refused("Only settings can be reverted.");
    }
    const bool isFirst = objectOf(entry.oldValue).isEmpty();
    if (isFirst && entry.table == kSettings) {
        return refused("These were the first settings: nothing stood before them.");
    }
    std::vector<reports::Value> values;
    for (const reports::Change& change : changesOf(entry)) {
        const bool isFlag = change.key.ends_with(".enabled");
        const bool isBias = change.key.ends_with(".score_bias");
        // Before a route had a row, this held of it.
        const std::string standard = isFlag ? "true" : isBias ? "1" : std::string{kNone};
        values.push_back({change.key, isFirst ? standard : change.before});
    }
    if (values.empty()) return refused("This change left every value as it was.");
    return values;
}

std::vector<GridColumn> auditColumns()
{
    return {
        {QStringLiteral("When"), QString(), 150, false, true},
        {QStringLiteral("Who"), QStringLiteral("And on which host"), 120, false, false},
        {QStringLiteral("What"), QString(), 150, false, false},
        {QStringLiteral("Version"), QString(), 60, true, false},
        {QStringLiteral("Change"), QString(), 330, false, false},
        {QStringLiteral("Why"), QString(), 260, false, false}};
}

std::vector<GridRow> auditRows(const std::vector<AuditEntry>& entries, const QString& filter)
{
    const QStringList words = filter.split(QChar(' '), Qt::SkipEmptyParts);
    std::vector<GridRow> rows;
    for (const AuditEntry& entry : entries) {
        const QString host =
            entry.host.empty() ? QString() : QStringLiteral(" @ ") + plain(entry.host);
        const QString changes = changesText(changesOf(entry));
        GridCell change = GridCell{changes.isEmpty() ? QStringLiteral("no value") : changes};
        change.isFaint = changes.isEmpty();
        change.tip = changes;
        GridCell why = GridCell{plain(entry.reason)};
        why.tip = why.text;
        GridRow row;
        row.key = QString::number(entry.id);
        row.cells = {
            GridCell{timeText(entry.at)},
            GridCell{plain(entry.who) + host},
            GridCell{subjectOf(entry)},
            GridCell{QStringLiteral("v%1").arg(entry.version)},
            std::move(change),
            std::move(why)};
        if (isIn(row, words)) rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace weir::model
