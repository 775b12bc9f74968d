// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/main_window.h"

#include "app/model/drill_deed.h"
#include "app/view/key_list.h"
#include "app/view/page_list.h"
#include "app/view/profile_dialog.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace weir::view {
namespace {

const QString kSigns = QStringLiteral("+-/?");

std::vector<model::Place::Page> pageIds()
{
    std::vector<model::Place::Page> ids;
    for (const PageEntry& entry : pageList())
        ids.push_back(entry.page);
    return ids;
}

} // namespace

MainWindow::MainWindow(const Theme& theme, model::Console& console, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_console(console)
    , m_header(new HeaderBar(theme, console, this))
    , m_drills(new DrillBand(theme, console, this))
    , m_side(new SideBar(theme, pageIds(), this))
    , m_stack(new QStackedWidget(this))
    , m_status(new StatusLine(theme, console, this))
{
    setWindowTitle(QStringLiteral("Weir · ") + console.desk().who().profile);
    setMinimumSize(1100, 640);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_drills);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_side);
    middle->addWidget(m_stack, 1);
    layout->addLayout(middle, 1);
    layout->addWidget(m_status);
    makePageActions();
    makeActions();
    makeTimeActions();
    go({});
    connect(m_side, &SideBar::wanted, this, [this](model::Place::Page page) {
        go({page, QString(), std::nullopt});
    });
    connect(&console, &model::Console::placeWanted, this, &MainWindow::go);
    connect(m_header, &HeaderBar::incidentsWanted, this, [this] {
        go({model::Place::Page::Incidents, QString(), std::nullopt});
    });
    connect(m_header, &HeaderBar::switchWanted, this, &MainWindow::openSwitch);
    connect(m_drills, &DrillBand::endWanted, this, &MainWindow::openDrillEnd);
    connect(&console, &model::Console::changed, this, [this] { m_isNews = true; });
    connect(&console, &model::Console::incidentsChanged, this, &MainWindow::noteIncidents);
    connect(&console, &model::Console::ticked, this, &MainWindow::tick);
    connect(&console.window(), &model::TimeWindow::changed, this, &MainWindow::refresh);
}

void MainWindow::makePageActions()
{
    for (const PageEntry& entry : pageList()) {
        const int key = Qt::Key_1 + static_cast<int>(entry.page);
        addKey(
            model::titleOf(entry.page) + QStringLiteral(" page"),
            {QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key))},
            [this, page = entry.page] {
                go({page, QString(), std::nullopt});
            });
    }
    addKey(
        QStringLiteral("Filter the page"),
        {QKeySequence(Qt::Key_Slash)},
        [this] {
            QWidget* field = m_page->filterField();
            if (field != nullptr) field->setFocus(Qt::ShortcutFocusReason);
        },
        Reach::Unfocused);
    addKey(
        QStringLiteral("Back; take the crosshair away"),
        {QKeySequence(Qt::Key_Escape)},
        [this] { goBack(); },
        Reach::Unfocused);
}

void MainWindow::makeActions()
{
    addKey(
        QStringLiteral("Turn adaptive routing off or on…"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
        [this] { openSwitch(); });
    addKey(QStringLiteral("Next pane"), {QKeySequence(Qt::Key_F6)}, [this] { nextPane(); });
    addKey(
        QStringLiteral("This list"),
        {QKeySequence(Qt::Key_Question)},
        [this] { openKeys(); },
        Reach::Unfocused);
    addKey(QStringLiteral("Guide"), {QKeySequence(Qt::Key_F1)}, [this] { openHelp(); });
}

void MainWindow::makeTimeActions()
{
    auto& window = m_console.window();
    const auto now = [this] { return m_console.now(); };
    addKey(
        QStringLiteral("Pause the charts, or go on"),
        {QKeySequence(Qt::Key_Space)},
        [&window, now] { window.isPaused() ? window.resume() : window.pause(now()); },
        Reach::Unfocused);
    addKey(QStringLiteral("Back to live"), {QKeySequence(Qt::Key_End)}, [&window] {
        window.pointAt(std::nullopt);
        window.resume();
    });

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
    // A sign may need Shift on a keyboard, and then is the sign all the same.
    const QKeySequence typed(event->key());
    for (QAction* action : actions()) {
        if (action->shortcutContext() != Qt::WidgetShortcut) continue;
        const bool isSign = event->key() < 0x80 && kSigns.contains(QChar(event->key()));
        if (!action->shortcuts().contains(isSign ? typed : pressed)) continue;
        action->trigger();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

Page* MainWindow::page(model::Place::Page id)
{
    Page*& page = m_pages[static_cast<std::size_t>(id)];
    if (page != nullptr) return page;
    for (const PageEntry& entry : pageList()) {
        if (entry.page != id) continue;
        page = entry.make(m_theme, m_console, m_stack);
        m_stack->addWidget(page);
    }
    return page;
}

LivePage& MainWindow::livePage()
{
    return *static_cast<LivePage*>(page(model::Place::Page::Live));
}

void MainWindow::go(const model::Place& place)
{
    Page* wanted = page(place.page);
    if (wanted == nullptr) return;
    m_page = wanted;
    m_stack->setCurrentWidget(wanted);
    m_side->setCurrent(place.page);
    wanted->enter(place);
    wanted->panes().front()->setFocus(Qt::OtherFocusReason);
    refresh();
}

void MainWindow::goBack()
{
    if (m_page->goBack()) return;
    m_console.window().pointAt(std::nullopt);
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

void MainWindow::offerProfiles(model::ProfileDesk& desk)
{
    addKey(
        QStringLiteral("Profiles…"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
        [this, &desk] {
            auto* dialog = new ProfileDialog(m_theme, desk, m_console.desk().who().profile, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
}

void MainWindow::openDrillEnd(const Drill& drill)
{
    if (m_endDialog) m_endDialog->reject();
    auto* deed = new model::DrillEndDeed(m_console, drill);
    m_endDialog = new DeedDialog(m_theme, deed, nullptr, this);
    m_endDialog->setAttribute(Qt::WA_DeleteOnClose);
    m_endDialog->open();
}

void MainWindow::openKeys()
{
    auto* keys = new KeyList(m_theme, actions() + m_page->actions(), this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->open();
}

void MainWindow::openHelp()
{
    if (!m_help) m_help = new HelpWindow(m_theme, this);
    m_help->open(model::toWord(m_page->place().page));
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
    m_drills->refresh();
    m_page->refresh();
    m_status->refresh();
}

void MainWindow::noteIncidents()
{
    const model::IncidentWatch* watch = m_console.incidents();
    if (watch == nullptr || watch->open() == nullptr) return;
    m_header->refresh();
    const std::size_t count = watch->open()->size();
    m_side->setNote(
        model::Place::Page::Incidents,
        count == 0 ? QString() : QStringLiteral("%1 open").arg(count),
        model::Tone::Warning);
}

void MainWindow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.window);
}

} // namespace weir::view
