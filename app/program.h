// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/agent_link.h"
#include "app/link/archive_thread.h"
#include "app/link/keychain.h"
#include "app/link/store_link.h"
#include "app/model/console.h"
#include "app/model/profile_desk.h"
#include "app/options.h"
#include "app/screenshot.h"
#include "app/session.h"
#include "app/single_instance.h"
#include "app/view/main_window.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace weir::app {

/// One window of one profile, with the links behind it.
class Program final
{
public:
    /// `file`: where profiles and windows are kept.
    Program(const view::Theme& theme, const Options& options, const QString& file);

    /// Until the window is closed; the program's exit code.
    [[nodiscard]] int run();

private:
    void prepareWindow();
    void startStore(const QString& url);
    void raise(const QString& link);

    const Options& m_options;
    QString m_file;
    link::Keychain m_keychain;
    model::ProfileDesk m_profiles;
    // Before the console, which asks it to its end.
    link::ArchiveThread m_archive;
    model::Console m_console;
    view::MainWindow m_window;
    Session m_session;
    link::AgentLink m_agent;
    std::unique_ptr<link::StoreLink> m_store;
    std::optional<Screenshot> m_screenshot;
    std::optional<SingleInstance> m_instance;
    QTimer m_tick;
};

} // namespace weir::app
