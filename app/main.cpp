// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"
#include "app/program.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStandardPaths>
#include <QStyleFactory>

#include <cstdio>

namespace {

using namespace weir;

/// A picture needs no screen.
void preferOffscreen(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const bool isPicture = QByteArray(argv[i]).startsWith("--screenshot");
        if (isPicture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
            qputenv("QT_QPA_PLATFORM", "offscreen");
        }
    }
}

const view::Theme& dress(QApplication& application, app::ThemeChoice choice)
{
    const bool isSystemDark = application.palette().color(QPalette::Window).lightness() < 128;
    const bool isDark =
        choice == app::ThemeChoice::Dark || (choice == app::ThemeChoice::System && isSystemDark);
    const view::Theme& theme = isDark ? view::Theme::dark() : view::Theme::light();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(theme.palette());
    application.setFont(view::uiFont());
    for (const QFont& font : {view::uiFont(), view::monoFont()}) {
        if (QFontDatabase::families().contains(font.family())) continue;
        std::fprintf(
            stderr,
            "weir-console: font %s is not installed; using another\n",
            qUtf8Printable(font.family()));
    }
    return theme;
}

QString settingsFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/weir/console.ini");
}

int run(QApplication& application, const app::Options& options)
{
    const QString link = options.place ? model::toLink(*options.place) : QString();
    const bool isWindow = options.screenshot.isEmpty();
    if (isWindow && app::SingleInstance::handOver(options.profile.name, link)) {
        std::fprintf(
            stderr,
            "weir-console: profile %s is open already; its window has been asked to the front\n",
            qUtf8Printable(options.profile.name));
        return 0;
    }
    const view::Theme& theme = dress(application, options.theme);
    app::Program program(theme, options, settingsFile());
    return program.run();
}

} // namespace

int main(int argc, char** argv)
{
    // Charts write their times in UTC; Qt's axes would take the zone of the machine.
    qputenv("TZ", "UTC");
    preferOffscreen(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("weir-console"));
    QApplication::setDesktopFileName(QStringLiteral("dev.weir.console"));
    const auto options = app::readOptions(
        QApplication::arguments(),
        model::Profiles(settingsFile()),
        app::Session::lastProfile(settingsFile()));
    if (!options) {
        std::fprintf(stderr, "weir-console: %s\n", options.error().text().c_str());
        return 2;
    }
    if (!options->help.isEmpty()) {
        std::fputs(qUtf8Printable(options->help), stdout);
        return 0;
    }
    return run(application, *options);
}
