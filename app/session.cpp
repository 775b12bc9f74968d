// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session.h"

#include <QSettings>
#include <QUrl>

namespace weir::app {
namespace {

const QString kLast = QStringLiteral("windows/last_profile");
const QString kGeometry = QStringLiteral("geometry");
const QString kPlace = QStringLiteral("place");

} // namespace

Session::Session(QString file, QString profile)
    : m_file(std::move(file))
    , m_profile(std::move(profile))
{
}

void Session::restore(view::MainWindow& window, bool hasSize, bool hasPlace) const
{
    QSettings settings(m_file, QSettings::IniFormat);
    settings.beginGroup(QStringLiteral("windows"));
    settings.beginGroup(QString::fromLatin1(QUrl::toPercentEncoding(m_profile)));
    const QByteArray geometry = settings.value(kGeometry).toByteArray();
    if (!hasSize && !geometry.isEmpty()) window.restoreGeometry(geometry);
    auto place = model::placeFromLink(settings.value(kPlace).toString());
    if (hasPlace || !place) return;
    // Today's window shows what is now.
    place->range.reset();
    window.go(*place);
}

void Session::keep(const view::MainWindow& window) const
{
    QSettings settings(m_file, QSettings::IniFormat);
    settings.setValue(kLast, m_profile);
    settings.beginGroup(QStringLiteral("windows"));
    settings.beginGroup(QString::fromLatin1(QUrl::toPercentEncoding(m_profile)));
    settings.setValue(kGeometry, window.saveGeometry());
    settings.setValue(kPlace, model::toLink(window.page().place()));
}

QString Session::lastProfile(const QString& file)
{
    return QSettings(file, QSettings::IniFormat).value(kLast).toString();
}

} // namespace weir::app
