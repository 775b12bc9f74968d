// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/place.h"

#include <QDateTime>
#include <QTimeZone>
#include <QUrl>
#include <QUrlQuery>

#include <array>

namespace weir::model {
namespace {

struct Name
{
    const char* word;
    const char* title;
};

/// By `Place::Page`.
constexpr std::array<Name, kPageCount> kNames{{
    {"live", "Live"},
    {"incidents", "Incidents"},
    {"decisions", "Decisions"},
    {"providers", "Providers"},
    {"tasks", "Tasks & cost"},
    {"experiments", "Experiments"},
    {"settings", "Settings"},
    {"fleet", "Fleet"},
}};

const Name& nameOf(Place::Page page)
{
    return kNames[static_cast<std::size_t>(page)];
}

QString timeText(Ms time)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(time, Qt::UTC);
    return moment.toString(time % 1000 == 0 ? Qt::ISODate : Qt::ISODateWithMs);
}

std::optional<Ms> timeFrom(const QString& text)
{
    const QDateTime moment = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!moment.isValid() || !text.endsWith(QChar('Z'))) return std::nullopt;
    return moment.toMSecsSinceEpoch();
}

} // namespace

QString toWord(Place::Page page)
{
    return QString::fromLatin1(nameOf(page).word);
}

QString titleOf(Place::Page page)
{
    return QString::fromLatin1(nameOf(page).title);
}

std::optional<Place::Page> pageFromWord(const QString& word)
{
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (word == QLatin1String(kNames[i].word)) return static_cast<Place::Page>(i);
    }
    return std::nullopt;
}

QString toLink(const Place& place)
{
    QUrl url;
    url.setScheme(QStringLiteral("weir"));
    url.setHost(toWord(place.page));
    if (!place.key.isEmpty()) url.setPath(QChar('/') + place.key);
    if (place.range) {
        QUrlQuery query;
        query.addQueryItem(QStringLiteral("from"), timeText(place.range->from));
        query.addQueryItem(QStringLiteral("to"), timeText(place.range->to));
        url.setQuery(query);
    }
    return QString::fromLatin1(url.toEncoded());
}

std::optional<Place> placeFromLink(const QString& text)
{
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    if (!url.isValid() || url.scheme() != QStringLiteral("weir")) return std::nullopt;
    const auto page = pageFromWord(url.host());
    if (!page) return std::nullopt;
    Place place{*page, url.path(QUrl::FullyDecoded).mid(1), std::nullopt};
    const QUrlQuery query(url);
    const auto from = timeFrom(query.queryItemValue(QStringLiteral("from")));
    const auto to = timeFrom(query.queryItemValue(QStringLiteral("to")));
    if (from && to && *from < *to) place.range = Span{*from, *to};
    return place;
}

} // namespace weir::model
