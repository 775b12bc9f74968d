// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/agent_link.h"
#include "app/link/archive_thread.h"
#include "app/link/store_link.h"
#include "app/model/console.h"
#include "app/options.h"
#include "app/screenshot.h"
#include "app/view/main_window.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QStyleFactory>
#include <QSysInfo>

#include <cstdio>
#include <memory>
#include <optional>

namespace {

using namespace weir;

constexpr int kTickMs = 250;
constexpr auto kHistory = std::chrono::hours{24};

UtcTime utcNow()
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

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

model::Operator operatorFrom(const app::Options& options)
{
    QString name = qEnvironmentVariable("USER");
    if (name.isEmpty()) name = QFileInfo(QDir::homePath()).owner();
    if (name.isEmpty()) name = QStringLiteral("unknown");
    return {options.profile, name, QSysInfo::machineHostName(), options.isReadOnly};
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

void join(link::AgentLink& agent, model::Console& console)
{
    using model::Console;
    QObject::connect(&agent, &link::AgentLink::statusRead, &console, &Console::showStatus);
    QObject::connect(&agent, &link::AgentLink::reached, &console, &Console::showAgentReached);
    QObject::connect(&agent, &link::AgentLink::lost, &console, &Console::showAgentLost);
    QObject::connect(&console, &Console::retryWanted, &agent, &link::AgentLink::retryNow);
}

void join(link::StoreLink& store, model::Console& console)
{
    using model::Console;
    QObject::connect(&store, &link::StoreLink::reached, &console, &Console::showStoreReached);
    QObject::connect(&store, &link::StoreLink::lost, &console, &Console::showStoreLost);
    QObject::connect(&store, &link::StoreLink::switchRead, &console, &Console::showSwitch);
    QObject::connect(&store, &link::StoreLink::settingsRead, &console, &Console::showSettings);
    QObject::connect(&store, &link::StoreLink::agentsRead, &console, &Console::showAgents);
    QObject::connect(&store, &link::StoreLink::auditRead, &console, &Console::showAudit);
    QObject::connect(&store, &link::StoreLink::historyRead, &console, &Console::showHistory);
    QObject::connect(&console, &Console::historyWanted, &store, &link::StoreLink::readHistory);
    QObject::connect(&console, &Console::retryWanted, &store, &link::StoreLink::retryNow);
    model::SwitchDesk& desk = console.desk();
    QObject::connect(&desk, &model::SwitchDesk::changeRequested, &store, &link::StoreLink::turn);
    QObject::connect(&store, &link::StoreLink::settled, &desk, &model::SwitchDesk::settle);
}

int run(QApplication& application, const app::Options& options)
{
    const view::Theme& theme = dress(application, options.theme);
    std::unique_ptr<link::ArchiveThread> archive;
    if (options.store) archive = std::make_unique<link::ArchiveThread>(options.storeUrl);
    model::Console console(operatorFrom(options), utcNow);
    console.setArchive(archive.get());
    const QString storeName = options.store ? options.store->shown() : QString();
    console.nameDoors(options.agent.authority(), storeName);
    view::MainWindow window(theme, console);
    window.resize(options.size);
    window.go(options.place);

    std::optional<app::Screenshot> screenshot;
    if (!options.screenshot.isEmpty()) {
        application.setCursorFlashTime(0);
        screenshot.emplace(console, window, options.screenshot);
    }
    link::AgentLink agent(options.agent);
    join(agent, console);
    std::unique_ptr<link::StoreLink> store;
    if (options.store) {
        store = std::make_unique<link::StoreLink>(link::StoreOptions{.address = *options.store});
        join(*store, console);
        if (screenshot) {
            QObject::connect(
                store.get(),
                &link::StoreLink::historyComplete,
                &*screenshot,
                &app::Screenshot::noteHistory);
        }
        store->start();
        store->readHistory(utcNow() - kHistory, utcNow());
    } else if (screenshot) {
        screenshot->noteHistory();
    }
    window.show();
    agent.start();
    QTimer tick;
    QObject::connect(&tick, &QTimer::timeout, &console, &model::Console::tick);
    tick.start(kTickMs);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    // Charts write their times in UTC; Qt's axes would take the zone of the machine.
    qputenv("TZ", "UTC");
    preferOffscreen(argc, argv);
    QApplication application(argc, argv);
    const auto options = app::readOptions(QApplication::arguments());
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
