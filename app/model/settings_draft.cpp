// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_draft.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace weir::model {
namespace {

QString text(std::string_view value)
{
    return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

std::string text(const QJsonValue& value)
{
    return value.toString().toStdString();
}

QJsonObject toJson(const RoutingSettings& settings)
{
    QJsonObject numbers;
    for (const auto& [key, value] : settings.numbers)
        numbers[text(key)] = value;
    return {
        {QStringLiteral("objective"), text(settings.objective)},
        {QStringLiteral("numbers"), numbers},
        {QStringLiteral("version"), static_cast<qint64>(settings.version)}};
}

RoutingSettings settingsFrom(const QJsonObject& json)
{
    RoutingSettings settings;
    settings.objective = text(json[QStringLiteral("objective")]);
    settings.version = json[QStringLiteral("version")].toInteger();
    const QJsonObject numbers = json[QStringLiteral("numbers")].toObject();
    for (auto number = numbers.begin(); number != numbers.end(); ++number)
        settings.numbers[number.key().toStdString()] = number.value().toDouble();
    return settings;
}

QJsonObject toJson(const RouteSettings& row)
{
    QJsonObject json{
        {QStringLiteral("model"), text(row.model)},
        {QStringLiteral("provider"), text(row.provider)},
        {QStringLiteral("enabled"), row.enabled},
        {QStringLiteral("score_bias"), row.scoreBias},
        {QStringLiteral("version"), static_cast<qint64>(row.version)}};
    if (row.fixedPosition) json[QStringLiteral("fixed_position")] = *row.fixedPosition;
    return json;
}

RouteSettings routeFrom(const QJsonObject& json)
{
    RouteSettings row;
    row.model = text(json[QStringLiteral("model")]);
    row.provider = text(json[QStringLiteral("provider")]);
    row.enabled = json[QStringLiteral("enabled")].toBool(true);
    row.scoreBias = json[QStringLiteral("score_bias")].toDouble(1.0);
    row.version = json[QStringLiteral("version")].toInteger();
    const QJsonValue position = json[QStringLiteral("fixed_position")];
    if (position.isDouble()) row.fixedPosition = position.toInt();
    return row;
}

SettingTexts textsOf(const std::vector<reports::Value>& values)
{
    SettingTexts texts;
    for (const reports::Value& value : values)
        texts[value.key] = value.value;
    return texts;
}

} // namespace

std::vector<std::string> SettingsDraft::assignments() const
{
    std::vector<std::string> assignments;
    for (const auto& [key, value] : edits) {
        assignments.emplace_back(key);
        assignments.back().append("=").append(value);
    }
    return assignments;
}

QByteArray toJson(const SettingsDraft& draft)
{
    QJsonArray routes;
    for (const RouteSettings& row : draft.base.routes)
        routes.append(toJson(row));
    QJsonObject edits;
    for (const auto& [key, value] : draft.edits)
        edits[text(key)] = text(value);
    const QJsonObject json{
        {QStringLiteral("settings"), toJson(draft.base.settings)},
        {QStringLiteral("routes"), routes},
        {QStringLiteral("edits"), edits},
        {QStringLiteral("reason"), draft.reason},
        {QStringLiteral("request_uuid"), text(draft.requestUuid)}};
    return QJsonDocument(json).toJson();
}

Result<SettingsDraft> draftFromJson(const QByteArray& bytes)
{
    const QJsonObject json = QJsonDocument::fromJson(bytes).object();
    SettingsDraft draft;
    draft.base.settings = settingsFrom(json[QStringLiteral("settings")].toObject());
    if (const Status<> valid = validate(draft.base.settings); !valid) {
        return fail("bad_draft", "draft", valid.error().text());
    }
    for (const QJsonValue& row : json[QStringLiteral("routes")].toArray())
        draft.base.routes.push_back(routeFrom(row.toObject()));
    const QJsonObject edits = json[QStringLiteral("edits")].toObject();
    for (auto edit = edits.begin(); edit != edits.end(); ++edit)
        draft.edits[edit.key().toStdString()] = text(edit.value());
    draft.reason = json[QStringLiteral("reason")].toString();
    draft.requestUuid = text(json[QStringLiteral("request_uuid")]);
    return draft;
}

Result<std::optional<SettingsDraft>> readDraft(const QString& path)
{
    QFile file(path);
    if (!file.exists()) return std::nullopt;
    if (!file.open(QIODevice::ReadOnly)) {
        return fail("bad_draft", path.toStdString(), file.errorString().toStdString());
    }
    Result<SettingsDraft> draft = draftFromJson(file.readAll());
    if (!draft) return fail("bad_draft", path.toStdString(), draft.error().detail);
    return std::move(*draft);
}

Status<> writeDraft(const QString& path, const SettingsDraft& draft)
{
    const auto failed = [&path](const QString& why) {
        return fail("draft_not_kept", path.toStdString(), why.toStdString());
    };
    if (draft.isEmpty()) {
        QFile file(path);
        if (!file.exists() || file.remove()) return {};
        return failed(file.errorString());
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(file.errorString());
    file.write(toJson(draft));
    if (!file.commit()) return failed(file.errorString());
    return {};
}

std::vector<MergeRow> mergeOf(
    const SettingsDraft& draft,
    const Decisions& newest,
    const std::vector<reports::RouteName>& routes)
{
    const SettingTexts theirs = textsOf(reports::standingValues(newest, routes));
    std::vector<MergeRow> rows;
    for (const reports::Value& base : reports::standingValues(draft.base, routes)) {
        MergeRow row{base.key, base.value, theirs.find(base.key)->second, base.value};
        const auto edit = draft.edits.find(base.key);
        if (edit != draft.edits.end()) row.yours = edit->second;
        const bool isTheirs = row.theirs != row.base;
        const bool isYours = row.yours != row.base;
        if (!isTheirs && !isYours) continue;
        if (!row.isBothChanged()) {
            row.choice = isTheirs ? MergeRow::Choice::Theirs : MergeRow::Choice::Yours;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

SettingsDraft
merged(const SettingsDraft& draft, const Decisions& newest, const std::vector<MergeRow>& rows)
{
    SettingsDraft result;
    result.base = newest;
    result.reason = draft.reason;
    for (const MergeRow& row : rows) {
        const bool isYours = row.choice == MergeRow::Choice::Yours;
        if (isYours && row.yours != row.theirs) result.edits[row.key] = row.yours;
    }
    return result;
}

bool isSameVersions(const Decisions& a, const Decisions& b)
{
    const auto versionsOf = [](const Decisions& decisions) {
        std::map<std::pair<std::string, std::string>, std::int64_t> versions;
        for (const RouteSettings& row : decisions.routes) {
            // Not in the store yet, but known from elsewhere.
            if (row.version > 0) versions[{row.model, row.provider}] = row.version;
        }
        return versions;
    };
    return a.settings.version == b.settings.version && versionsOf(a) == versionsOf(b);
}

} // namespace weir::model
