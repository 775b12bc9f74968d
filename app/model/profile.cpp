// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/profile.h"

#include "app/model/store_address.h"

#include <QSettings>
#include <QUrl>

#include <algorithm>
#include <array>

namespace weir::model {
namespace {

constexpr qsizetype kNameMax = 40;
const QString kGroup = QStringLiteral("profiles");
/// By `Band`.
constexpr std::array<const char*, kBandCount> kBands{"none", "red", "amber", "green", "blue"};

tl::unexpected<Error> bad(const QString& where, const QString& detail)
{
    return fail("bad_profile", where.toStdString(), detail.toStdString());
}

QString keyOf(const QString& name)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(name));
}

Band bandFrom(const QString& word)
{
    const auto found = std::ranges::find(kBands, word.toStdString());
    return found == kBands.end() ? Band::None : static_cast<Band>(found - kBands.begin());
}

Status<> written(QSettings& settings)
{
    settings.sync();
    if (settings.status() == QSettings::NoError) return {};
    return fail(
        "profiles", settings.fileName().toStdString(), "cannot be written: see its permissions");
}

} // namespace

QString toWord(Band band)
{
    return QString::fromLatin1(kBands[static_cast<std::size_t>(band)]);
}

Band usualBand(const QString& name)
{
    if (name.startsWith(QStringLiteral("prod"), Qt::CaseInsensitive)) return Band::Red;
    if (name.startsWith(QStringLiteral("stag"), Qt::CaseInsensitive)) return Band::Amber;
    return Band::None;
}

Status<> check(const Profile& profile)
{
    const bool isClean = std::ranges::all_of(
        profile.name, [](QChar c) { return c.isPrint() && c != QChar('/') && c != QChar('\\'); });
    if (profile.name.trimmed().isEmpty() || profile.name.size() > kNameMax || !isClean) {
        return bad(
            QStringLiteral("name"),
            QStringLiteral("1 to 40 characters, without slashes and control characters"));
    }
    if (!profile.store.isEmpty()) {
        const auto store = storeAddress(profile.store);
        if (!store) return tl::unexpected<Error>(store.error());
        if (!store->password.isEmpty()) {
            return bad(
                QStringLiteral("store"),
                QStringLiteral("leave the password out of the URL: it belongs into its own field"));
        }
    }
    const QUrl agent(profile.agent, QUrl::StrictMode);
    const bool isHttp =
        agent.scheme() == QStringLiteral("http") || agent.scheme() == QStringLiteral("https");
    if (!isHttp || agent.host().isEmpty() || !agent.password().isEmpty()) {
        return bad(
            QStringLiteral("agent"),
            QStringLiteral("write an address, as in http://127.0.0.1:8791"));
    }
    return {};
}

Profiles::Profiles(QString file)
    : m_file(std::move(file))
{
}

std::vector<Profile> Profiles::all() const
{
    QSettings settings(m_file, QSettings::IniFormat);
    settings.beginGroup(kGroup);
    std::vector<Profile> profiles;
    const QStringList groups = settings.childGroups();
    for (const QString& group : groups) {
        settings.beginGroup(group);
        Profile profile;
        profile.name = QUrl::fromPercentEncoding(group.toLatin1());
        profile.store = settings.value(QStringLiteral("store")).toString();
        profile.agent = settings.value(QStringLiteral("agent")).toString();
        profile.band = bandFrom(settings.value(QStringLiteral("band")).toString());
        profile.isPasswordKept = settings.value(QStringLiteral("password_kept")).toBool();
        settings.endGroup();
        // Whoever edits the file by hand hears of a slip when the profile is opened.
        profiles.push_back(std::move(profile));
    }
    std::ranges::sort(profiles, {}, &Profile::name);
    return profiles;
}

std::optional<Profile> Profiles::find(const QString& name) const
{
    const auto profiles = all();
    const auto found = std::ranges::find(profiles, name, &Profile::name);
    return found == profiles.end() ? std::nullopt : std::optional(*found);
}

Status<> Profiles::save(const Profile& profile)
{
    if (Status<> checked = check(profile); !checked) return checked;
    QSettings settings(m_file, QSettings::IniFormat);
    settings.beginGroup(kGroup);
    settings.beginGroup(keyOf(profile.name));
    settings.setValue(QStringLiteral("store"), profile.store);
    settings.setValue(QStringLiteral("agent"), profile.agent);
    settings.setValue(QStringLiteral("band"), toWord(profile.band));
    settings.setValue(QStringLiteral("password_kept"), profile.isPasswordKept);
    return written(settings);
}

Status<> Profiles::remove(const QString& name)
{
    QSettings settings(m_file, QSettings::IniFormat);
    settings.beginGroup(kGroup);
    settings.remove(keyOf(name));
    return written(settings);
}

} // namespace weir::model
