// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_query.h"

#include "app/model/format.h"
#include "common/base/text.h"

#include <QDateTime>
#include <QRegularExpression>

#include <array>
#include <limits>

namespace weir::model {
namespace {

constexpr std::array kKeys{
    "id",
    "task",
    "conversation",
    "type",
    "model",
    "provider",
    "agent",
    "outcome",
    "reason",
    "since",
    "from",
    "to"};
constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::Fixed) + 1;

QString fromWord(std::string_view word)
{
    return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
}

QStringList keyList()
{
    QStringList list;
    for (const char* key : kKeys)
        list << QString::fromLatin1(key);
    return list;
}

QStringList outcomeList()
{
    QStringList list{QStringLiteral("failed")};
    for (std::size_t i = 0; i < kOutcomeCount; ++i)
        list << fromWord(toWord(static_cast<Outcome>(i)));
    return list;
}

QStringList reasonList()
{
    QStringList list;
    for (std::size_t i = 0; i < kReasons; ++i)
        list << fromWord(toWord(static_cast<Reason>(i)));
    return list;
}

/// Words apart; what stands in quotation marks is one.
Result<QStringList> wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool isQuoted = false;
    for (const QChar c : text) {
        if (c == QChar('"')) {
            isQuoted = !isQuoted;
        } else if (c.isSpace() && !isQuoted) {
            if (!word.isEmpty()) words << word;
            word.clear();
        } else {
            word += c;
        }
    }
    if (isQuoted) {
        return fail("bad_query", word.toStdString(), "a quotation mark is open; close it");
    }
    if (!word.isEmpty()) words << word;
    return words;
}

int editDistance(const QString& a, const QString& b)
{
    std::vector<int> row(static_cast<std::size_t>(b.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = static_cast<int>(j);
    for (qsizetype i = 0; i < a.size(); ++i) {
        int corner = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const bool isSame = a[i] == b[static_cast<qsizetype>(j) - 1];
            const int next = std::min({row[j] + 1, row[j - 1] + 1, corner + (isSame ? 0 : 1)});
            corner = std::exchange(row[j], next);
        }
    }
    return row.back();
}

/// "; did you mean provider?" where one is near, else all of them.
QString advice(const QString& word, const QStringList& known)
{
    QString nearest;
    int least = 3;
    for (const QString& each : known) {
        const int distance = editDistance(word, each);
        if (distance >= least) continue;
        least = distance;
        nearest = each;
    }
    if (!nearest.isEmpty()) return QStringLiteral("; did you mean ") + nearest + QChar('?');
    return QStringLiteral("; there are ") + known.join(QStringLiteral(", "));
}

tl::unexpected<Error> bad(const QString& word, const QString& detail)
{
    return fail("bad_query", plain(word.toStdString()).toStdString(), detail.toStdString());
}

/// "90s", "15m", "2h", "7d".
std::optional<std::chrono::milliseconds> lengthFrom(const QString& text)
{
    static const QRegularExpression kLength(QStringLiteral("^(\\d{1,6})\\s?([smhd])$"));
    const auto match = kLength.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const std::chrono::seconds count{match.captured(1).toInt()};
    switch (match.captured(2).front().unicode()) {
    case u's':
        return count;
    case u'm':
        return count * 60;
    case u'h':
        return count * 3600;
    default:
        return count * 86'400;
    }
}

/// A moment in UTC: with its day, or a time of today.
std::optional<UtcTime> momentFrom(const QString& text, UtcTime now)
{
    QString full = text;
    if (full.endsWith(QChar('Z'))) full.chop(1);
    if (!full.contains(QChar('-'))) {
        full.prepend(QString::fromStdString(toIso(now)).left(11));
    }
    QDateTime moment = QDateTime::fromString(full, Qt::ISODateWithMs);
    if (!moment.isValid()) return std::nullopt;
    moment.setTimeSpec(Qt::UTC);
    return fromEpochMs(moment.toMSecsSinceEpoch());
}

class Reading final
{
public:
    explicit Reading(UtcTime now)
        : m_now(now)
    {
    }

    Status<> take(const QString& word)
    {
        const qsizetype equals = word.indexOf(QChar('='));
        const QString key = equals < 0 ? QStringLiteral("id") : word.left(equals).toLower();
        const QString value = word.mid(equals + 1);
        if (!keyList().contains(key)) {
            return bad(word, QStringLiteral("there is no filter ") + key + advice(key, keyList()));
        }
        if (value.isEmpty()) return bad(word, QStringLiteral("needs a value behind the ="));
        if (m_keys.contains(key)) {
            return bad(word, key + QStringLiteral(" stands there twice; take one of them out"));
        }
        m_keys << key;
        query.words << word;
        return take(key, value, word);
    }

    DecisionQuery query;

private:
    Status<> take(const QString& key, const QString& value, const QString& word)
    {
        if (std::string* const text = textOf(key)) {
            *text = cleaned(value.toStdString());
            return {};
        }
        if (key == QStringLiteral("outcome")) return takeOutcome(value, word);
        if (key == QStringLiteral("reason")) {
            query.filter.reason = reasonFromWord(value.toStdString());
            if (query.filter.reason) return {};
            return bad(word, QStringLiteral("no such reason") + advice(value, reasonList()));
        }
        return takeTime(key, value, word);
    }

    std::string* textOf(const QString& key)
    {
        store::LedgerFilter& filter = query.filter;
        if (key == QStringLiteral("id")) return &filter.requestId;
        if (key == QStringLiteral("task")) return &filter.taskId;
        if (key == QStringLiteral("conversation")) return &filter.conversation;
        if (key == QStringLiteral("type")) return &filter.taskType;
        if (key == QStringLiteral("model")) return &filter.model;
        if (key == QStringLiteral("provider")) return &filter.provider;
        if (key == QStringLiteral("agent")) return &filter.agent;
        return nullptr;
    }

    Status<> takeOutcome(const QString& value, const QString& word)
    {
        query.filter.failed = value == QStringLiteral("failed");
        query.filter.outcome = outcomeFromWord(value.toStdString());
        if (query.filter.failed || query.filter.outcome) return {};
        return bad(word, QStringLiteral("no such outcome") + advice(value, outcomeList()));
    }

    Status<> takeTime(const QString& key, const QString& value, const QString& word)
    {
        if (key == QStringLiteral("since")) {
            const auto length = lengthFrom(value);
            if (!length)
                return bad(word, QStringLiteral("no length of time; try 90s, 15m, 2h, 7d"));
            if (query.filter.from) return bad(word, QStringLiteral("from= says that already"));
            query.filter.from = m_now - *length;
            return {};
        }
        const auto moment = momentFrom(value, m_now);
        if (!moment) {
            return bad(word, QStringLiteral("no time; try 10:15 or 2026-11-30T10:15:00Z (UTC)"));
        }
        const bool isFrom = key == QStringLiteral("from");
        if (isFrom && query.filter.from) {
            return bad(word, QStringLiteral("since= says that already"));
        }
        (isFrom ? query.filter.from : query.filter.to) = moment;
        if (query.filter.from && query.filter.to && *query.filter.from >= *query.filter.to) {
            return bad(word, QStringLiteral("the range ends before it begins"));
        }
        return {};
    }

    UtcTime m_now;
    QStringList m_keys;
};

} // namespace

Result<DecisionQuery> decisionQuery(const QString& text, UtcTime now)
{
    const Result<QStringList> words = wordsOf(text);
    if (!words) return tl::unexpected(words.error());
    Reading reading(now);
    for (const QString& word : *words) {
        if (const Status<> taken = reading.take(word); !taken) return tl::unexpected(taken.error());
    }
    return reading.query;
}

QStringList completions(const QString& word, const QueryNames& names)
{
    QStringList found;
    const qsizetype equals = word.indexOf(QChar('='));
    const auto add = [&found](const QString& head, const QStringList& tails, const QString& begin) {
        for (const QString& tail : tails) {
            const bool fits = tail.startsWith(begin, Qt::CaseInsensitive);
            if (fits && tail != begin) found << head + tail;
        }
    };
    if (equals < 0) {
        QStringList keys;
        for (const QString& key : keyList())
            keys << key + QChar('=');
        add(QString(), keys, word);
        return found;
    }
    const QString key = word.left(equals).toLower();
    const QString head = key + QChar('=');
    const QString begin = word.mid(equals + 1);
    if (key == QStringLiteral("outcome")) add(head, outcomeList(), begin);
    if (key == QStringLiteral("reason")) add(head, reasonList(), begin);
    if (key == QStringLiteral("model")) add(head, names.models, begin);
    if (key == QStringLiteral("provider")) add(head, names.providers, begin);
    if (key == QStringLiteral("agent")) add(head, names.agents, begin);
    if (key == QStringLiteral("since")) {
        const QStringList lengths{
            QStringLiteral("15m"),
            QStringLiteral("1h"),
            QStringLiteral("6h"),
            QStringLiteral("24h"),
            QStringLiteral("7d")};
        add(head, lengths, begin);
    }
    return found;
}

QString queryWord(const QString& key, const QString& value)
{
    const bool isSeveral = value.contains(QRegularExpression(QStringLiteral("\\s")));
    const QString quote = isSeveral ? QStringLiteral("\"") : QString();
    return key + QChar('=') + quote + value + quote;
}

QString joined(const QStringList& words)
{
    QStringList texts;
    for (const QString& word : words) {
        const qsizetype equals = word.indexOf(QChar('='));
        texts << (equals < 0 ? word : queryWord(word.left(equals), word.mid(equals + 1)));
    }
    return texts.join(QChar(' '));
}

} // namespace weir::model
