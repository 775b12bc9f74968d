// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_link.h"
#include "app/model/console.h"
#include "app/view/main_window.h"
#include "app/view/switch_progress_view.h"
#include "tests/app/support/stage.h"
#include "tests/app/support/store_file.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace weir;
using link::StoreLink;
using test::StoreFile;
using view::SwitchDialog;
using Phase = model::SwitchDesk::Phase;

namespace {

UtcTime utcNow()
{
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
}

/// The whole console without its program: a real store file, the store thread, the window.
struct Room
{
    StoreFile file;
    model::Console console{
        {QStringLiteral("staging"), QStringLiteral("maria"), QStringLiteral("devbox"), false},
        utcNow};
    view::MainWindow window{view::Theme::light(), console};
    StoreLink store;

    explicit Room(const char* mode)
        : store([this, mode] {
            if (QByteArray(mode) == "adaptive") file.turn("adaptive", "jon", "planned start");
            file.acknowledge("agent-1", mode, "switch");
            link::StoreOptions options;
            options.address.path = file.path();
            options.busyTimeoutMs = 300;
            options.pollMs = 20;
            options.quickPollMs = 20;
            return options;
        }())
    {
        test::dress(view::Theme::light());
        console.nameDoors(QStringLiteral("127.0.0.1:8791"), QStringLiteral("weir.db"));
        QObject::connect(&store, &StoreLink::reached, &console, &model::Console::showStoreReached);
        QObject::connect(&store, &StoreLink::lost, &console, &model::Console::showStoreLost);
        QObject::connect(&store, &StoreLink::switchRead, &console, &model::Console::showSwitch);
        QObject::connect(&store, &StoreLink::settingsRead, &console, &model::Console::showSettings);
        QObject::connect(&store, &StoreLink::agentsRead, &console, &model::Console::showAgents);
        QObject::connect(
            &console.desk(), &model::SwitchDesk::changeRequested, &store, &StoreLink::turn);
        QObject::connect(&store, &StoreLink::settled, &console.desk(), &model::SwitchDesk::settle);
        store.start();
        window.resize(1440, 900);
        window.show();
        window.activateWindow();
    }

    [[nodiscard]] bool isReady()
    {
        return QTest::qWaitForWindowActive(&window) && QTest::qWaitFor([this] {
                   return console.storeReach().state == model::Reach::State::Reached &&
                          !console.header().version.isEmpty() && console.desk().facts().settings;
               });
    }

    SwitchDialog* open()
    {
        window.activateWindow();
        if (!QTest::qWaitFor([&] { return QApplication::activeWindow() == &window; }))
            return nullptr;
        QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        SwitchDialog* dialog = window.switchDialog();
        const auto isActive = [&] { return QApplication::activeWindow() == dialog; };
        return dialog != nullptr && QTest::qWaitFor(isActive) ? dialog : nullptr;
    }

    std::string version() { return file.value("SELECT version FROM routing_switch"); }

    std::string audits()
    {
        return file.value(
            "SELECT count(*) FROM settings_audit WHERE table_name = 'routing_switch'");
    }
};

QPlainTextEdit& reasonIn(SwitchDialog& dialog)
{
    return *dialog.findChild<QPlainTextEdit*>();
}

bool isIn(const QWidget& outer, const QWidget* inner)
{
    return inner == &outer || outer.isAncestorOf(inner);
}

QPushButton& commitIn(SwitchDialog& dialog)
{
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->text().contains(QStringLiteral("Ctrl+Return"))) return *button;
    }
    qFatal("the dialog has no commit button");
}

void keep(SwitchDialog& dialog, const char* name)
{
    dialog.refresh();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    dialog.refresh();
    test::keepPicture(dialog.grab().toImage(), QString::fromLatin1(name));
}

} // namespace

class TestConsoleDialog final : public QObject
{
    Q_OBJECT

private slots:

    void offByKeyboardAlone()
    {
        Room room("adaptive");
        QVERIFY(room.isReady());
        SwitchDialog* dialog = room.open();
        QVERIFY(dialog != nullptr);
        QCOMPARE(room.console.desk().target(), Mode::Fixed);
        QVERIFY(reasonIn(*dialog).hasFocus());

        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("too slow!"));
        QVERIFY(!commitIn(*dialog).isEnabled());
        QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
        QTest::keyClick(&reasonIn(*dialog), Qt::Key_Return, Qt::ControlModifier);
        for (QWidget* field : dialog->findChildren<QWidget*>()) {
            if (field->isVisible() && !isIn(reasonIn(*dialog), field))
                QTest::keyClick(field, Qt::Key_Return);
        }
        QVERIFY(room.window.switchDialog() != nullptr);
        QCOMPARE(room.console.desk().phase(), Phase::Editing);
        QCOMPARE(room.version(), std::string("2"));

        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(room.window.switchDialog() == nullptr);
        dialog = room.open();
        QVERIFY(dialog != nullptr);
        QCOMPARE(reasonIn(*dialog).toPlainText(), QStringLiteral("too slow!"));
        reasonIn(*dialog).moveCursor(QTextCursor::End);
        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("!"));
        QVERIFY(commitIn(*dialog).isEnabled());
        keep(*dialog, "switch-off-light");
        QTest::keyClick(&reasonIn(*dialog), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::Progress);
        QCOMPARE(room.version(), std::string("3"));
        QCOMPARE(room.audits(), std::string("3"));
        QCOMPARE(room.file.value("SELECT reason FROM routing_switch"), std::string("too slow!!"));
        // The row is written, but no agent has said so.
        QCOMPARE(room.console.desk().progress()->applied, 0);
        keep(*dialog, "switch-progress-light");
        room.file.acknowledge("agent-1", "fixed", "switch");
        QTRY_VERIFY(room.console.desk().progress()->isComplete);
        const auto* view = dialog->findChild<view::SwitchProgressView*>();
        QTRY_VERIFY(view->shown().headline.startsWith(QStringLiteral("Applied by 1/1 agent in ")));
        keep(*dialog, "switch-applied-light");
    }

    void onNeedsTheNameOfTheEnvironment()
    {
        Room room("fixed");
        QVERIFY(room.isReady());
        SwitchDialog* dialog = room.open();
        QVERIFY(dialog != nullptr);
        QCOMPARE(room.console.desk().target(), Mode::Adaptive);
        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("the incident is over"));
        QVERIFY(!commitIn(*dialog).isEnabled());
        for (QLineEdit* field : dialog->findChildren<QLineEdit*>()) {
            if (field->accessibleName() == QStringLiteral("Environment's name")) {
                QTest::keyClicks(field, QStringLiteral("staging"));
            }
        }
        QVERIFY2(commitIn(*dialog).isEnabled(), qPrintable(room.console.desk().whyNot()));
        keep(*dialog, "switch-on-light");
        QTest::keyClick(&commitIn(*dialog), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::Progress);
        QCOMPARE(room.file.value("SELECT mode FROM routing_switch"), std::string("adaptive"));
        room.file.acknowledge("agent-1", "failsafe", "no_summary");
        QTRY_VERIFY(room.console.desk().progress()->detail.contains(QStringLiteral("no summary")));
        keep(*dialog, "switch-no-summary-light");
        QCOMPARE(room.console.header().text(), QStringLiteral("FIXED ORDER · no summary yet"));
    }

    void aLockedStoreKeepsTheReasonAndCanBeTriedAgain()
    {
        Room room("adaptive");
        QVERIFY(room.isReady());
        SwitchDialog* dialog = room.open();
        QVERIFY(dialog != nullptr);
        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("answers are slow"));
        room.file.run("BEGIN IMMEDIATE");
        QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::NotWritten);
        QVERIFY(room.console.desk().notice().startsWith(QStringLiteral("Not written.")));
        QCOMPARE(reasonIn(*dialog).toPlainText(), QStringLiteral("answers are slow"));
        keep(*dialog, "switch-not-written-light");
        room.file.run("ROLLBACK");
        QCOMPARE(room.version(), std::string("2"));
        QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::Progress);
        QCOMPARE(room.version(), std::string("3"));
    }

    void anotherOperatorsChangeIsShownBeforeAnythingIsWritten()
    {
        Room room("adaptive");
        QVERIFY(room.isReady());
        SwitchDialog* dialog = room.open();
        QVERIFY(dialog != nullptr);
        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("answers are slow"));
        QVERIFY(commitIn(*dialog).isEnabled());
        // Off and on again while the dialog stands open: still adaptive, but by somebody else.
        room.file.run("BEGIN");
        room.file.turn("fixed", "jon", "429 storm");
        room.file.turn("adaptive", "jon", "storm is over");
        room.file.run("COMMIT");
        QTRY_VERIFY(room.console.desk().isConflict());
        QVERIFY(!commitIn(*dialog).isEnabled());
        QVERIFY(room.console.desk().notice().startsWith(QStringLiteral("jon turned it ON ")));
        QVERIFY(room.console.desk().notice().contains(QStringLiteral("storm is over")));
        keep(*dialog, "switch-conflict-light");
        QCOMPARE(room.version(), std::string("4"));
        QTRY_VERIFY(commitIn(*dialog).isEnabled());
        QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::Progress);
        QCOMPARE(room.version(), std::string("5"));
    }

    void closingTheDialogDoesNotStopTheCount()
    {
        Room room("adaptive");
        QVERIFY(room.isReady());
        SwitchDialog* dialog = room.open();
        QVERIFY(dialog != nullptr);
        QTest::keyClicks(&reasonIn(*dialog), QStringLiteral("answers are slow"));
        QTest::keyClick(dialog, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(room.console.desk().phase(), Phase::Progress);
        dialog->close();
        QTRY_VERIFY(room.window.switchDialog() == nullptr);
        room.file.acknowledge("agent-1", "fixed", "switch");
        QTRY_VERIFY(room.console.desk().progress()->isComplete);
    }
};

QTEST_MAIN(TestConsoleDialog)
#include "tst_console_dialog.moc"
