// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/profile_desk.h"
#include "app/view/deed_dialog.h"
#include "app/view/drill_band.h"
#include "app/view/header_bar.h"
#include "app/view/help_window.h"
#include "app/view/live_page.h"
#include "app/view/page.h"
#include "app/view/side_bar.h"
#include "app/view/status_line.h"
#include "app/view/switch_dialog.h"
#include "app/view/theme.h"

#include <QKeySequence>
#include <QPointer>
#include <QWidget>

#include <array>
#include <functional>

class QStackedWidget;

namespace weir::view {

/// The window: header, list of pages, page, status line, and the keys that work everywhere.
class MainWindow final : public QWidget
{
    Q_OBJECT

public:
    MainWindow(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    /// Paints everything anew from the console's state.
    void refresh();
    void openSwitch();
    void openKeys();
    /// The guide, at the page in front.
    void openHelp();
    /// From now on there is a way to the profiles.
    void offerProfiles(model::ProfileDesk& desk);
    void openDrillEnd(const weir::Drill& drill);
    /// Brings a page to the front, with what the place names.
    void go(const model::Place& place);

    [[nodiscard]] Page& page() const { return *m_page; }

    /// Makes the page where it has not been there yet; null where there is none.
    [[nodiscard]] Page* page(model::Place::Page id);
    [[nodiscard]] LivePage& livePage();

    [[nodiscard]] SwitchDialog* switchDialog() const { return m_dialog; }

    [[nodiscard]] HelpWindow* help() const { return m_help; }

    [[nodiscard]] DeedDialog* drillEndDialog() const { return m_endDialog; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Reach { Window, Unfocused };

    void makeActions();
    void makePageActions();
    void makeTimeActions();
    void goBack();
    QAction* addKey(
        const QString& text,
        const QList<QKeySequence>& keys,
        std::function<void()> run,
        Reach reach = Reach::Window);
    void tick();
    void nextPane();
    void noteIncidents();

    const Theme& m_theme;
    model::Console& m_console;
    HeaderBar* m_header;
    DrillBand* m_drills;
    SideBar* m_side;
    QStackedWidget* m_stack;
    std::array<Page*, model::kPageCount> m_pages{};
    Page* m_page = nullptr;
    StatusLine* m_status;
    QPointer<SwitchDialog> m_dialog;
    QPointer<HelpWindow> m_help;
    QPointer<DeedDialog> m_endDialog;
    bool m_isNews = true;
    std::int64_t m_paintedSecond = 0;
};

} // namespace weir::view
