// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/program.h"

#include "app/model/store_address.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QSysInfo>

namespace weir::app {
namespace {

constexpr int kTickMs = 250;
constexpr auto kHistory = std::chrono::hours{24};
constexpr QSize kSize{1440, 900};

UtcTime utcNow()
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

model::Operator operatorFrom(const Options& options)
{
    QString name = qEnvironmentVariable("USER");
    if (name.isEmpty()) name = QFileInfo(QDir::homePath()).owner();
    if (name.isEmpty()) name = QStringLiteral("unknown");
    return {
        options.profile.name,
        name,
        QSysInfo::machineHostName(),
        options.isReadOnly,
        options.profile.band,
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
            QStringLiteral("/weir-console")};
}

/// What names the store while its password is not there yet.
QString shownStore(const model::Profile& profile)
{
    const auto address = model::storeAddress(profile.store);
    return address ? address->shown() : QString();
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

} // namespace

Program::Program(const view::Theme& theme, const Options& options, const QString& file)
    : m_options(options)
    , m_file(file)
    , m_profiles(model::Profiles(file), m_keychain)
    , m_console(operatorFrom(options), utcNow)
    , m_window(theme, m_console)
    , m_session(file, options.profile.name)
    , m_agent(options.agent)
{
    m_console.nameDoors(options.agent.authority(), shownStore(options.profile));
    if (!options.profile.store.isEmpty()) m_console.setArchive(&m_archive);
    prepareWindow();
    join(m_agent, m_console);
    QObject::connect(&m_tick, &QTimer::timeout, &m_console, &model::Console::tick);
}

void Program::prepareWindow()
{
    m_window.resize(m_options.size.value_or(kSize));
    if (!m_options.screenshot.isEmpty()) {
        if (m_options.place) m_window.go(*m_options.place);
        QApplication::setCursorFlashTime(0);
        m_screenshot.emplace(m_console, m_window, m_options.screenshot);
        return;
    }
    m_session.restore(m_window, m_options.size.has_value(), m_options.place.has_value());
    if (m_options.place) m_window.go(*m_options.place);
    m_window.offerProfiles(m_profiles);
    QObject::connect(
        &m_profiles, &model::ProfileDesk::opened, &m_window, [](const QString& profile) {
            QProcess::startDetached(
                QCoreApplication::applicationFilePath(), {QStringLiteral("--profile"), profile});
        });
    m_instance.emplace(m_options.profile.name);
    QObject::connect(&*m_instance, &SingleInstance::asked, &m_window, [this](const QString& link) {
        raise(link);
    });
}

void Program::startStore(const QString& url)
{
    const auto address = model::storeAddress(url);
    if (!address) {
        if (m_screenshot) m_screenshot->noteHistory();
        return;
    }
    m_archive.start(url.toStdString());
    m_store = std::make_unique<link::StoreLink>(link::StoreOptions{.address = *address});
    join(*m_store, m_console);
    if (m_screenshot) {
        QObject::connect(
            m_store.get(),
            &link::StoreLink::historyComplete,
            &*m_screenshot,
            &Screenshot::noteHistory);
    }
    m_store->start();
    m_store->readHistory(utcNow() - kHistory, utcNow());
}

void Program::raise(const QString& link)
{
    if (const auto place = model::placeFromLink(link)) m_window.go(*place);
    m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
    m_window.raise();
    m_window.activateWindow();
}

int Program::run()
{
    m_window.show();
    m_agent.start();
    m_tick.start(kTickMs);
    model::ProfileDesk::fetchUrl(
        m_options.profile, m_keychain, [this](const QString& url) { startStore(url); });
    const int code = QApplication::exec();
    if (!m_screenshot) m_session.keep(m_window);
    return code;
}

} // namespace weir::app
