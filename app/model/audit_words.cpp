// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/audit_words.h"

#include "app/model/format.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <array>

namespace weir::model {
namespace {

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

/// Who wrote and when stands beside the change already.
bool isAuthorship(const QString& key)
{
    static const std::array<QString, 6> kKeys{
        QStringLiteral("version"),
        QStringLiteral("reason"),
        QStringLiteral("updated_by"),
        QStringLiteral("updated_host"),
        QStringLiteral("updated_at"),
        QStringLiteral("request_uuid")};
    return std::ranges::find(kKeys, key) != kKeys.end();
}

QString valueText(const QJsonValue& value)
{
    if (value.isDouble()) return QString::number(value.toDouble());
    if (value.isNull() || value.isUndefined()) return QStringLiteral("none");
    return plain(value.toVariant().toString().toStdString());
}

QString changes(const AuditEntry& entry)
{
    const QJsonObject before = objectOf(entry.oldValue);
    const QJsonObject after = objectOf(entry.newValue);
    QStringList parts;
    for (auto each = after.begin(); each != after.end(); ++each) {
        if (isAuthorship(each.key()) || before[each.key()] == each.value()) continue;
        const QString key = plain(each.key().toStdString());
        parts
            << (before.isEmpty()
                    ? key + QChar(' ') + valueText(each.value())
                    : QStringLiteral("%1 %2 to %3")
                          .arg(key, valueText(before[each.key()]), valueText(each.value())));
    }
    return parts.join(QStringLiteral(", "));
}

QString drillText(const AuditEntry& entry)
{
    const QJsonObject drill = objectOf(entry.newValue);
    if (entry.version > 1) {
        return QStringLiteral("drill ended: ") + valueText(drill[QStringLiteral("end_reason")]);
    }
    return QStringLiteral("drill began: %1 at %2")
        .arg(
            valueText(drill[QStringLiteral("kind")]), valueText(drill[QStringLiteral("provider")]));
}

std::optional<Mode> modeIn(const AuditEntry& entry, const std::string& json)
{
    if (entry.table != "routing_switch") return std::nullopt;
    return modeFromWord(objectOf(json)[QStringLiteral("mode")].toString().toStdString());
}

} // namespace

Look lookOf(Mode mode)
{
    switch (mode) {
    case Mode::Adaptive:
        return {Glyph::Disc, Tone::Ok, QStringLiteral("adaptive")};
    case Mode::Shadow:
        return {Glyph::HalfSquare, Tone::Off, QStringLiteral("shadow")};
    case Mode::Fixed:
        break;
    }
    return {Glyph::Square, Tone::Off, QStringLiteral("fixed order")};
}

std::optional<Mode> modeBefore(const AuditEntry& entry)
{
    return modeIn(entry, entry.oldValue);
}

std::optional<Mode> modeAfter(const AuditEntry& entry)
{
    return modeIn(entry, entry.newValue);
}

QString auditText(const AuditEntry& entry)
{
    if (const auto mode = modeAfter(entry)) {
        if (*mode == Mode::Adaptive) return QStringLiteral("adaptive ON");
        return *mode == Mode::Fixed ? QStringLiteral("adaptive OFF") : QStringLiteral("shadow");
    }
    if (entry.table == "drill") return drillText(entry);
    if (entry.table == "incident_note") {
        const QJsonObject note = objectOf(entry.newValue);
        const QString text =
            plain(note[QStringLiteral("text")].toString().toStdString(), kNoteCharactersMax);
        return (entry.version > 1 ? QStringLiteral("note edited: ") : QStringLiteral("note: ")) +
               text;
    }
    const QString what = changes(entry);
    if (entry.table == "route_settings") {
        return plain(entry.key) + QStringLiteral(": ") + (what.isEmpty() ? unknown() : what);
    }
    return what.isEmpty() ? plain(entry.table) + QStringLiteral(" written again") : what;
}

Look lookOf(const AuditEntry& entry)
{
    if (const auto mode = modeAfter(entry)) return lookOf(*mode);
    if (entry.table == "drill") return {Glyph::Bars, Tone::Off, QStringLiteral("drill")};
    if (entry.table == "incident_note")
        return {Glyph::Circle, Tone::Neutral, QStringLiteral("note")};
    return {Glyph::Diamond, Tone::Neutral, QStringLiteral("settings")};
}

std::string incidentOf(const AuditEntry& entry)
{
    if (entry.table != "incident_note") return {};
    return objectOf(entry.newValue)[QStringLiteral("incident_id")].toString().toStdString();
}

} // namespace weir::model
