// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_facts.h"

#include "app/model/decision_query.h"
#include "app/model/decision_rows.h"
#include "app/model/format.h"
#include "common/model/call_record_json.h"
#include "common/routing/replay.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace weir::model {
namespace {

constexpr qsizetype kIdShown = 12;

QString word(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

QString shortened(const std::string& id)
{
    const QString text = plain(id);
    return text.size() > kIdShown ? text.left(kIdShown) + QChar(u'…') : text;
}

QString version(std::int64_t number)
{
    return QStringLiteral("v%1").arg(number);
}

QString summaryText(const reports::RequestFile& file)
{
    const std::string& id = file.saved ? file.saved->served.snapshotId : file.first().snapshotId;
    if (id.empty()) return QStringLiteral("none");
    if (file.summaryAtMs == 0) return shortened(id) + QStringLiteral(", not found");
    const UtcTime at = fromEpochMs(file.summaryAtMs);
    const UtcTime decided =
        file.saved ? fromEpochMs(file.saved->served.input.nowMs) : file.first().startedAt;
    return QStringLiteral("%1 of %2, %3 old").arg(shortened(id), clockText(at), age(decided - at));
}

Fact linked(const char* label, const std::string& value, Place::Page page)
{
    Fact fact{QString::fromLatin1(label), shortened(value)};
    if (value.empty()) {
        fact.value = unknown();
    } else {
        fact.place = Place{page, QString::fromStdString(value), std::nullopt};
    }
    return fact;
}

Fact findable(const char* label, const std::string& value, const char* key)
{
    Fact fact{QString::fromLatin1(label), shortened(value)};
    if (value.empty()) {
        fact.value = unknown();
    } else {
        fact.query = queryWord(QString::fromLatin1(key), QString::fromStdString(value));
    }
    return fact;
}

/// Where the ledger's own columns do not say what the saved decision does.
QStringList columnDifferences(const reports::RequestFile& file)
{
    const CallRecord& row = file.first();
    const DecisionRecord& saved = file.saved->served;
    QStringList lines;
    const auto compare = [&lines](const char* what, const QString& column, const QString& record) {
        if (column == record) return;
        lines << QStringLiteral("%1: the ledger's column has %2, the saved decision %3")
                     .arg(QString::fromLatin1(what), column, record);
    };
    compare("summary", plain(row.snapshotId), plain(saved.snapshotId));
    compare("settings", version(row.settingsVersion), version(saved.input.policy.settingsVersion));
    compare("mode", word(toWord(row.mode)), word(toWord(saved.input.mode)));
    compare("seed", QString::number(row.seed), QString::number(saved.input.seed));
    return lines;
}

QStringList
recomputed(const DecisionRecord& record, const PoolSummary* pool, const SavedDecision& saved)
{
    QStringList lines;
    const Decision again = routing::decideAgain(record, pool, saved.providers);
    for (const std::string& line : routing::differences(record, again, saved.providers))
        lines << plain(line);
    return lines;
}

Verdict cannot(const QString& why)
{
    return {
        Glyph::Circle, Tone::Stale, QStringLiteral("cannot be replayed: ") + why, QStringList{}};
}

QJsonObject explanationJson(const routing::Explanation& explanation)
{
    QJsonArray notes;
    for (const std::string& note : explanation.notes)
        notes << QString::fromStdString(note);
    QJsonArray routes;
    for (const routing::RouteAnswer& answer : explanation.routes) {
        const auto share = [](std::int64_t part) {
            return part > 0 ? QJsonValue(static_cast<double>(part) / 1e9) : QJsonValue();
        };
        routes << QJsonObject{
            {QStringLiteral("provider"), QString::fromStdString(answer.provider)},
            {QStringLiteral("place"), answer.place},
            {QStringLiteral("code"), QString::fromStdString(answer.code)},
            {QStringLiteral("sentence"), QString::fromStdString(answer.sentence)},
            {QStringLiteral("score"), share(answer.score)},
            {QStringLiteral("cost_part"), share(answer.costPart)},
            {QStringLiteral("speed_part"), share(answer.speedPart)}};
    }
    return {
        {QStringLiteral("headline"), QString::fromStdString(explanation.headline)},
        {QStringLiteral("notes"), notes},
        {QStringLiteral("routes"), routes}};
}

QString jsonString(const QString& text)
{
    // An array of one is the shortest document that holds a string.
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.mid(1, array.size() - 2));
}

} // namespace

std::vector<Fact> factsOf(const reports::RequestFile& file)
{
    const CallRecord& first = file.first();
    std::vector<Fact> facts{
        {QStringLiteral("Started"), momentText(first.startedAt)},
        linked("Agent", first.agentId, Place::Page::Fleet),
        linked("Task type", first.taskType, Place::Page::Tasks),
        {QStringLiteral("Model"), plain(first.model)},
        findable("Task", first.taskId, "task"),
        findable("Conversation", first.conversation, "conversation"),
        {QStringLiteral("Mode"),
         word(toWord(first.mode)) + QStringLiteral(" · L%1").arg(first.level)},
        {QStringLiteral("Settings"), version(first.settingsVersion)},
        {QStringLiteral("Switch"), version(first.switchVersion)},
        {QStringLiteral("Summary"), summaryText(file)}};
    const auto addText = [&facts](const char* label, const std::string& value) {
        if (!value.empty()) facts.push_back({QString::fromLatin1(label), plain(value)});
    };
    if (first.priority == Priority::Batch) addText("Priority", "batch");
    addText("Caller", first.caller);
    addText("Regions asked", first.regionsAsked);
    addText("Terms asked", first.termsAsked);
    return facts;
}

std::vector<TimePiece> timePieces(const reports::RequestFile& file, Console& console)
{
    std::vector<TimePiece> pieces;
    const UtcTime start = file.first().startedAt;
    for (const CallRecord& attempt : file.attempts) {
        TimePiece piece;
        piece.text = plain(attempt.provider) + QChar(' ') + word(toWord(attempt.outcome));
        piece.colour = colourOf(console, attempt.provider);
        piece.isFailure = !isSuccess(attempt.outcome) && !isNeutral(attempt.outcome);
        piece.from = epochMs(attempt.startedAt) - epochMs(start);
        if (attempt.ttftMs) piece.firstToken = piece.from + *attempt.ttftMs;
        piece.to = piece.from + attempt.durationMs;
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

QString timeText(const reports::RequestFile& file)
{
    std::optional<Ms> firstOutput;
    Ms end = 0;
    const Ms start = epochMs(file.first().startedAt);
    for (const CallRecord& attempt : file.attempts) {
        const Ms from = epochMs(attempt.startedAt) - start;
        if (attempt.ttftMs && (!firstOutput || from + *attempt.ttftMs < *firstOutput)) {
            firstOutput = from + *attempt.ttftMs;
        }
        end = std::max(end, from + attempt.durationMs);
    }
    const auto text = [](Ms ms) { return secondsFromMs(static_cast<double>(ms)); };
    const bool isLate = file.attempts.back().outcome == Outcome::Deadline;
    return (firstOutput ? QStringLiteral("First output after ") + text(*firstOutput)
                        : QStringLiteral("No output")) +
           QStringLiteral(", over after ") + text(end) +
           (isLate ? QStringLiteral(": its deadline passed.")
                   : QStringLiteral(". The ledger does not keep the request's deadline."));
}

Verdict verdictOf(const reports::RequestFile& file)
{
    if (file.trouble && file.trouble->code == "summary_missing") {
        return cannot(QStringLiteral("summary %1 not found").arg(plain(file.trouble->where)));
    }
    if (file.trouble) {
        return cannot(QStringLiteral("the saved decision cannot be read (%1)")
                          .arg(plain(file.trouble->text())));
    }
    if (!file.saved) return cannot(QStringLiteral("the ledger keeps no decision of this request"));
    const SavedDecision& saved = *file.saved;
    const PoolSummary* const pool = file.pool ? &*file.pool : nullptr;
    QStringList lines = recomputed(saved.served, pool, saved);
    if (saved.shadow) lines << recomputed(*saved.shadow, pool, saved);
    const QStringList columns = columnDifferences(file);
    if (lines.isEmpty() && columns.isEmpty()) {
        return {Glyph::Check, Tone::Ok, QStringLiteral("reproduced"), QStringList{}, true};
    }
    Verdict verdict{Glyph::Cross, Tone::Critical, QString(), lines + columns, lines.isEmpty()};
    verdict.text = lines.isEmpty() ? QStringLiteral("reproduced, but the ledger's columns differ")
                                   : QStringLiteral("comes out otherwise");
    if (verdict.isReproduced) {
        verdict.glyph = Glyph::Warning;
        verdict.tone = Tone::Warning;
    }
    verdict.lines << QStringLiteral("decided by agent %1, which runs %2 today")
                         .arg(
                             plain(file.first().agentId),
                             file.agentVersion.empty() ? QStringLiteral("an unknown version")
                                                       : plain(file.agentVersion));
    return verdict;
}

QString
headlineOf(const reports::RequestFile& file, const std::optional<routing::Explanation>& explanation)
{
    const CallRecord& last = file.attempts.back();
    QString text = QStringLiteral("Went to %1. ").arg(plain(last.provider));
    if (explanation) {
        text = QStringLiteral("Went to ") + plain(explanation->headline);
    } else {
        text += QStringLiteral("Why is not known: ") +
                (file.saved ? QStringLiteral("its summary is gone.")
                            : QStringLiteral("the ledger keeps no decision of it."));
    }
    if (file.attempts.size() > 1) {
        const QString where =
            plain(last.provider) + QStringLiteral(", attempt %1").arg(last.attempt);
        text += isSuccess(last.outcome)
                    ? QStringLiteral(" Answered by ") + where + QChar('.')
                    : QStringLiteral(" Ended at ") + where + QStringLiteral(": ") +
                          word(toWord(last.outcome)) + QChar('.');
    }
    return text;
}

QString
jsonOf(const reports::RequestFile& file, const std::optional<routing::Explanation>& explanation)
{
    QStringList attempts;
    for (const CallRecord& attempt : file.attempts)
        attempts << QString::fromStdString(jsonText(attempt));
    QString text = QStringLiteral("{\n\"attempts\": [") + attempts.join(QStringLiteral(",\n")) +
                   QStringLiteral("],\n\"decision\": ") +
                   jsonString(QString::fromStdString(file.first().decision)) +
                   QStringLiteral(",\n\"replay\": ") + jsonString(verdictOf(file).text);
    if (explanation) {
        const QJsonDocument document(explanationJson(*explanation));
        text += QStringLiteral(",\n\"explanation\": ") +
                QString::fromUtf8(document.toJson(QJsonDocument::Indented)).trimmed();
    }
    return text + QStringLiteral("\n}\n");
}

} // namespace weir::model
