// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/link/store_options.h"

#include <QCommandLineParser>

namespace weir::app {
namespace {

tl::unexpected<Error> usage(const QString& option, const QString& detail)
{
    return fail("usage", option.toStdString(), detail.toStdString());
}

Result<QSize> sizeFrom(const QString& text)
{
    const QStringList parts = text.split(QChar('x'));
    const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
    const bool isSane = parts.size() == 2 && size.width() >= 640 && size.height() >= 480 &&
                        size.width() <= 7680 && size.height() <= 4320;
    if (!isSane)
        return usage(
            QStringLiteral("--size"), QStringLiteral("write WIDTHxHEIGHT, as in 1440x900"));
    return size;
}

Result<ThemeChoice> themeFrom(const QString& text)
{
    if (text == QStringLiteral("light")) return ThemeChoice::Light;
    if (text == QStringLiteral("dark")) return ThemeChoice::Dark;
    if (text == QStringLiteral("system")) return ThemeChoice::System;
    return usage(QStringLiteral("--theme"), QStringLiteral("light, dark or system"));
}

Result<QUrl> agentFrom(const QString& text)
{
    const QUrl url = QUrl::fromUserInput(text);
    const bool isHttp =
        url.scheme() == QStringLiteral("http") || url.scheme() == QStringLiteral("https");
    if (!url.isValid() || !isHttp || url.host().isEmpty()) {
        return usage(
            QStringLiteral("--agent"),
            QStringLiteral("write an address, as in http://127.0.0.1:8791"));
    }
    return url;
}

} // namespace

Result<Options> readOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Shows a fleet of weir agents and turns their off switch."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QCommandLineOption store(
        QStringLiteral("store"),
        QStringLiteral("The store: sqlite:/path/weir.db"),
        QStringLiteral("URL"));
    const QCommandLineOption agent(
        QStringLiteral("agent"),
        QStringLiteral("An agent's admin address"),
        QStringLiteral("URL"),
        QStringLiteral("http://127.0.0.1:8791"));
    const QCommandLineOption profile(
        QStringLiteral("profile"),
        QStringLiteral("The environment's name"),
        QStringLiteral("NAME"),
        QStringLiteral("local"));
    const QCommandLineOption page(
        QStringLiteral("page"),
        QStringLiteral("The page to open: live"),
        QStringLiteral("NAME"),
        QStringLiteral("live"));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        QStringLiteral("Paint the page once data has arrived, save it and exit"),
        QStringLiteral("FILE.png"));
    const QCommandLineOption theme(
        QStringLiteral("theme"),
        QStringLiteral("light, dark or system"),
        QStringLiteral("NAME"),
        QStringLiteral("system"));
    const QCommandLineOption size(
        QStringLiteral("size"),
        QStringLiteral("The window's size"),
        QStringLiteral("WxH"),
        QStringLiteral("1440x900"));
    const QCommandLineOption readOnly(
        QStringLiteral("read-only"), QStringLiteral("Look, but change nothing"));
    parser.addOptions({store, agent, profile, page, screenshot, theme, size, readOnly});
    if (!parser.parse(arguments)) return usage(QString(), parser.errorText());
    if (!parser.positionalArguments().isEmpty()) {
        return usage(
            parser.positionalArguments().constFirst(), QStringLiteral("there is no such argument"));
    }

    Options options;
    if (parser.isSet(help)) options.help = parser.helpText();
    if (parser.isSet(version))
        options.help = QStringLiteral("weir-console ") + QStringLiteral(WEIR_VERSION) + QChar('\n');
    if (parser.value(page) != QStringLiteral("live")) {
        return usage(QStringLiteral("--page"), QStringLiteral("there is one page: live"));
    }
    if (parser.isSet(store)) {
        const auto path = link::sqlitePath(parser.value(store));
        if (!path) return tl::unexpected<Error>(path.error());
        options.storePath = *path;
    }
    const auto url = agentFrom(parser.value(agent));
    if (!url) return tl::unexpected<Error>(url.error());
    const auto choice = themeFrom(parser.value(theme));
    if (!choice) return tl::unexpected<Error>(choice.error());
    const auto wanted = sizeFrom(parser.value(size));
    if (!wanted) return tl::unexpected<Error>(wanted.error());
    options.agent = *url;
    options.theme = *choice;
    options.size = *wanted;
    options.profile = parser.value(profile).trimmed();
    if (options.profile.isEmpty())
        return usage(QStringLiteral("--profile"), QStringLiteral("must not be empty"));
    options.screenshot = parser.value(screenshot);
    options.isReadOnly = parser.isSet(readOnly);
    return options;
}

} // namespace weir::app
