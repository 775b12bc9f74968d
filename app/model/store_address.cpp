// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/store_address.h"

#include <QFileInfo>
#include <QStringList>
#include <QUrl>
#include <QUrlQuery>

namespace weir::model {
namespace {

tl::unexpected<Error> bad(const QString& where, const QString& detail)
{
    return fail("bad_store", where.toStdString(), detail.toStdString());
}

/// As libpq quotes. Qt cuts its list of words at semicolons, so none can stand in a value.
Result<QString> quoted(const QString& key, QString value)
{
    if (value.contains(QChar(';'))) {
        return bad(
            QStringLiteral("postgresql:"), key + QStringLiteral(" must not hold a semicolon"));
    }
    value.replace(QStringLiteral("\\"), QStringLiteral("\\\\"));
    value.replace(QStringLiteral("'"), QStringLiteral("\\'"));
    return QString(key + QStringLiteral("='") + value + QStringLiteral("'"));
}

/// The part of a URL behind the question mark.
Result<QString> wordsFrom(const QUrl& url)
{
    static const QStringList known{
        QStringLiteral("sslmode"),
        QStringLiteral("sslrootcert"),
        QStringLiteral("sslcert"),
        QStringLiteral("sslkey"),
        QStringLiteral("sslcrl"),
        QStringLiteral("channel_binding"),
        QStringLiteral("application_name")};
    QStringList words;
    const auto items = QUrlQuery(url).queryItems(QUrl::FullyDecoded);
    for (const auto& [key, value] : items) {
        if (!known.contains(key)) {
            return bad(
                QStringLiteral("postgresql:"),
                QStringLiteral("this console knows ") + known.join(QStringLiteral(", ")) +
                    QStringLiteral(" behind the question mark, and nothing else"));
        }
        const auto word = quoted(key, value);
        if (!word) return word;
        words << *word;
    }
    return words.join(QChar(' '));
}

Result<StoreAddress> postgresAddress(const QString& text)
{
    const QUrl url(text, QUrl::StrictMode);
    const QString form = QStringLiteral("write postgresql://user@host:port/database");
    if (!url.isValid() || url.hasFragment()) return bad(QStringLiteral("postgresql:"), form);
    StoreAddress address;
    address.kind = StoreAddress::Kind::Postgres;
    address.host = url.host(QUrl::FullyDecoded);
    address.port = url.port(0);
    address.database = url.path(QUrl::FullyDecoded).mid(1);
    address.user = url.userName(QUrl::FullyDecoded);
    address.password = url.password(QUrl::FullyDecoded);
    if (address.database.isEmpty() || address.database.contains(QChar('/'))) {
        return bad(QStringLiteral("postgresql:"), QStringLiteral("name the database; ") + form);
    }
    auto words = wordsFrom(url);
    if (!words) return tl::unexpected<Error>(words.error());
    address.more = std::move(*words);
    return address;
}

} // namespace

QString StoreAddress::shown() const
{
    if (kind == Kind::Sqlite) return QFileInfo(path).fileName();
    if (host.isEmpty()) return database;
    return database + QStringLiteral(" at ") + host;
}

Result<StoreAddress> storeAddress(const QString& url)
{
    const QString scheme = url.section(QChar(':'), 0, 0);
    if (scheme == QStringLiteral("postgresql") || scheme == QStringLiteral("postgres")) {
        return postgresAddress(url);
    }
    if (scheme != QStringLiteral("sqlite") || !url.contains(QChar(':'))) {
        return bad(
            QStringLiteral("--store"),
            QStringLiteral("this console reads sqlite:/path/weir.db and "
                           "postgresql://user@host/database"));
    }
    StoreAddress address;
    address.path = url.mid(scheme.size() + 1);
    if (address.path.isEmpty()) {
        return bad(
            QStringLiteral("sqlite:"), QStringLiteral("name the file, as in sqlite:/path/weir.db"));
    }
    return address;
}

} // namespace weir::model
