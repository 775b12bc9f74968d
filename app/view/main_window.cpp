// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/main_window.h"

#include "app/view/key_list.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace weir::view {

MainWindow::MainWindow(const Theme& theme, model::Console& console, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_console(console)
    , m_header(new HeaderBar(theme, console, this))
    , m_page(new LivePage(theme, console, this))
    , m_status(new StatusLine(theme, console, this))
{
    setWindowTitle(QStringLiteral("Weir · ") + console.desk().who().profile);
    setMinimumSize(1100, 640);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_page, 1);
    layout->addWidget(m_status);
    makeActions();
    connect(m_header, &HeaderBar::switchWanted, this, &MainWindow::openSwitch);
    connect(&console, &model::Console::changed, this, [this] { m_isNews = true; });
    connect(&console, &model::Console::ticked, this, &MainWindow::tick);
    connect(&console.window(), &model::TimeWindow::changed, this, &MainWindow::refresh);
}

void MainWindow::makeActions()
{
    auto& window = m_console.window();
    const auto now = [this] { return m_console.now(); };
    addKey(QStringLiteral("Live page"), {QKeySequence(Qt::CTRL | Qt::Key_1)}, [this] {
        m_page->setFocus();
    });
    addKey(
        QStringLiteral("Turn adaptive routing off or on…"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
        [this] { openSwitch(); });
    addKey(
        QStringLiteral("Pause the charts, or go on"),
        {QKeySequence(Qt::Key_Space)},
        [&window, now] { window.isPaused() ? window.resume() : window.pause(now()); },
        Reach::Unfocused);
    addKey(QStringLiteral("Back to live"), {QKeySequence(Qt::Key_End)}, [&window] {
        window.pointAt(std::nullopt);
        window.resume();
    });
    addKey(QStringLiteral("Next pane"), {QKeySequence(Qt::Key_F6)}, [this] { nextPane(); });

    const struct
    {
        const char* text;
        QKeySequence key;
        int hundredths;
    } kMoves[] = {
        {"Crosshair to the left", QKeySequence(Qt::Key_Left), -1},
        {"Crosshair to the right", QKeySequence(Qt::Key_Right), 1},
        {"Crosshair far to the left", QKeySequence(Qt::SHIFT | Qt::Key_Left), -10},
        {"Crosshair far to the right", QKeySequence(Qt::SHIFT | Qt::Key_Right), 10},
    };

    for (const auto& move : kMoves) {
        const int hundredths = move.hundredths;
        addKey(
            QString::fromLatin1(move.text),
            {move.key},
            [&window, now, hundredths] { window.nudge(hundredths, now()); },
            Reach::Unfocused);
    }
    addKey(
        QStringLiteral("Shorter time range"),
        {QKeySequence(Qt::Key_Plus)},
        [this] { m_header->stepRange(-1); },
        Reach::Unfocused);
    addKey(
        QStringLiteral("Longer time range"),
        {QKeySequence(Qt::Key_Minus)},
        [this] { m_header->stepRange(1); },
        Reach::Unfocused);
    addKey(
        QStringLiteral("Take the crosshair away"),
        {QKeySequence(Qt::Key_Escape)},
        [&window] { window.pointAt(std::nullopt); },
        Reach::Unfocused);
    addKey(
        QStringLiteral("This list"),
        {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)},
        [this] { openKeys(); });
}

QAction* MainWindow::addKey(
    const QString& text, const QList<QKeySequence>& keys, std::function<void()> run, Reach reach)
{
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    // A shortcut of the window would take the key from a focused button or table; these wait until
    // whoever has the focus has left the key alone.
    action->setShortcutContext(reach == Reach::Window ? Qt::WindowShortcut : Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, std::move(run));
    addAction(action);
    return action;
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    const QKeySequence pressed(event->keyCombination());
    // "+" may need Shift on a keyboard, and then is a plus all the same.
    const QKeySequence typed(event->key());
    for (QAction* action : actions()) {
        if (action->shortcutContext() != Qt::WidgetShortcut) continue;
        const bool isSign = event->key() == Qt::Key_Plus || event->key() == Qt::Key_Minus;
        if (!action->shortcuts().contains(isSign ? typed : pressed)) continue;
        action->trigger();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void MainWindow::nextPane()
{
    const auto panes = m_page->panes();
    std::size_t next = 0;
    for (std::size_t i = 0; i < panes.size(); ++i) {
        if (panes[i]->hasFocus()) next = (i + 1) % panes.size();
    }
    panes[next]->setFocus(Qt::TabFocusReason);
}

void MainWindow::openSwitch()
{
    if (m_dialog) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    m_console.desk().open(m_console.nextTarget());
    m_dialog = new SwitchDialog(m_theme, m_console.desk(), this);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->open();
}

void MainWindow::openKeys()
{
    auto* keys = new KeyList(m_theme, actions(), this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->open();
}

void MainWindow::tick()
{
    const std::int64_t second = epochMs(m_console.now()) / 1000;
    const bool isNewSecond = second != m_paintedSecond;
    if (!m_isNews && !isNewSecond) return;
    refresh();
}

void MainWindow::refresh()
{
    m_isNews = false;
    m_paintedSecond = epochMs(m_console.now()) / 1000;
    m_header->refresh();
    m_page->refresh();
    m_status->refresh();
}

void MainWindow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.window);
}

} // namespace weir::view
