// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/model/store_address.h"
#include "app/view/page_list.h"

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

Result<model::Place> placeFrom(const QString& text)
{
    if (const auto place = model::placeFromLink(text)) return *place;
    QStringList words;
    for (const view::PageEntry& entry : view::pageList()) {
        words << model::toWord(entry.page);
        if (text == words.last()) return model::Place{entry.page, QString(), std::nullopt};
    }
    return usage(
        QStringLiteral("--page"),
        QStringLiteral("write one of ") + words.join(QStringLiteral(", ")) +
            QStringLiteral(", or a link that the console copied"));
}

/// The options as the contract names them.
struct Grammar
{
    QCommandLineOption store{
        QStringLiteral("store"),
        QStringLiteral("The store: sqlite:/path/weir.db, or postgresql://user@host:port/database"),
        QStringLiteral("URL")};
    QCommandLineOption agent{
        QStringLiteral("agent"),
        QStringLiteral("An agent's admin address"),
        QStringLiteral("URL"),
        QStringLiteral("http://127.0.0.1:8791")};
    QCommandLineOption profile{
        QStringLiteral("profile"),
        QStringLiteral("The environment's name"),
        QStringLiteral("NAME"),
        QStringLiteral("local")};
    QCommandLineOption page{
        QStringLiteral("page"),
        QStringLiteral("The page to open, or a link to it: live, weir://live?from=…&to=…"),
        QStringLiteral("NAME"),
        QStringLiteral("live")};
    QCommandLineOption screenshot{
        QStringLiteral("screenshot"),
        QStringLiteral("Paint the page once data has arrived, save it and exit"),
        QStringLiteral("FILE.png")};
    QCommandLineOption theme{
        QStringLiteral("theme"),
        QStringLiteral("light, dark or system"),
        QStringLiteral("NAME"),
        QStringLiteral("system")};
    QCommandLineOption size{
        QStringLiteral("size"),
        QStringLiteral("The window's size"),
        QStringLiteral("WxH"),
        QStringLiteral("1440x900")};
    QCommandLineOption readOnly{
        QStringLiteral("read-only"), QStringLiteral("Look, but change nothing")};
};

/// The one named, or the last; one that is not kept gets its name and the usual values.
model::Profile profileFrom(
    const QCommandLineParser& parser,
    const Grammar& grammar,
    const model::Profiles& profiles,
    const QString& last)
{
    QString name = parser.value(grammar.profile).trimmed();
    const bool isFree = parser.isSet(grammar.store) || parser.isSet(grammar.agent);
    if (!parser.isSet(grammar.profile) && !isFree && !last.isEmpty()) name = last;
    if (const auto kept = profiles.find(name)) return *kept;
    model::Profile profile;
    profile.name = name;
    profile.band = model::usualBand(name);
    return profile;
}

Status<> fillAddresses(Options& options, const QCommandLineParser& parser, const Grammar& grammar)
{
    model::Profile& profile = options.profile;
    if (parser.isSet(grammar.store)) {
        profile.store = parser.value(grammar.store);
        // What is written on the command line is complete.
        profile.isPasswordKept = false;
    }
    if (!profile.store.isEmpty()) {
        const auto store = model::storeAddress(profile.store);
        if (!store) return tl::unexpected<Error>(store.error());
    }
    if (parser.isSet(grammar.agent) || profile.agent.isEmpty()) {
        profile.agent = parser.value(grammar.agent);
    }
    const auto agent = agentFrom(profile.agent);
    if (!agent) return tl::unexpected<Error>(agent.error());
    options.agent = *agent;
    return {};
}

Status<> fillPlace(Options& options, const QCommandLineParser& parser, const Grammar& grammar)
{
    const QStringList links = parser.positionalArguments();
    if (links.isEmpty() && !parser.isSet(grammar.page)) return {};
    const auto place = placeFrom(links.isEmpty() ? parser.value(grammar.page) : links.front());
    if (!place) return tl::unexpected<Error>(place.error());
    options.place = *place;
    return {};
}

Status<> fillLooks(Options& options, const QCommandLineParser& parser, const Grammar& grammar)
{
    const auto theme = themeFrom(parser.value(grammar.theme));
    if (!theme) return tl::unexpected<Error>(theme.error());
    options.theme = *theme;
    options.screenshot = parser.value(grammar.screenshot);
    options.isReadOnly = parser.isSet(grammar.readOnly);
    if (!parser.isSet(grammar.size)) return {};
    const auto size = sizeFrom(parser.value(grammar.size));
    if (!size) return tl::unexpected<Error>(size.error());
    options.size = *size;
    return {};
}

} // namespace

Result<Options>
readOptions(const QStringList& arguments, const model::Profiles& profiles, const QString& last)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Shows a fleet of weir agents, answers why a request went where it went, "
                       "and turns the off switch."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const Grammar grammar;
    parser.addOptions(
        {grammar.store,
         grammar.agent,
         grammar.profile,
         grammar.page,
         grammar.screenshot,
         grammar.theme,
         grammar.size,
         grammar.readOnly});
    parser.addPositionalArgument(
        QStringLiteral("link"), QStringLiteral("What to open: weir://…"), QStringLiteral("[link]"));
    if (!parser.parse(arguments)) return usage(QString(), parser.errorText());
    if (parser.positionalArguments().size() > 1) {
        return usage(parser.positionalArguments().at(1), QStringLiteral("one link is enough"));
    }
    Options options;
    if (parser.isSet(help)) options.help = parser.helpText();
    if (parser.isSet(version)) options.help = QStringLiteral("weir-console " WEIR_VERSION "\n");
    if (!options.help.isEmpty()) return options;
    options.profile = profileFrom(parser, grammar, profiles, last);
    if (options.profile.name.isEmpty()) {
        return usage(QStringLiteral("--profile"), QStringLiteral("must not be empty"));
    }
    for (const auto fill : {fillAddresses, fillPlace, fillLooks}) {
        if (const Status<> filled = fill(options, parser, grammar); !filled) {
            return tl::unexpected<Error>(filled.error());
        }
    }
    return options;
}

} // namespace weir::app
