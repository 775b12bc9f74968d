// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/stage.h"

#include <QAction>
#include <QApplication>
#include <QTest>

#include <set>

using namespace weir;
using test::Stage;
using view::TimeChart;

namespace {

void press(QWidget& window, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWidget* target = window.focusWidget() != nullptr ? window.focusWidget() : &window;
    QTest::keyClick(target, key, modifiers);
}

} // namespace

class TestConsoleKeys final : public QObject
{
    Q_OBJECT

private slots:

    void everyTabStopHasAName()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        int stops = 0;
        for (const QWidget* widget : stage.window.findChildren<QWidget*>()) {
            const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                widget->isVisible() && widget->focusProxy() == nullptr;
            if (!isStop) continue;
            ++stops;
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        }
        QVERIFY(stops >= 5);
        for (const TimeChart* chart : stage.window.livePage().charts()) {
            QVERIFY(chart->accessibleDescription().startsWith(QStringLiteral("Latest: baseten ")));
        }
    }

    void tabGoesRoundWithoutATrap()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        press(stage.window, Qt::Key_Tab);
        QWidget* first = stage.window.focusWidget();
        QVERIFY(first != nullptr);
        for (const auto key : {Qt::Key_Tab, Qt::Key_Backtab}) {
            std::set<QWidget*> met;
            int steps = 0;
            do {
                met.insert(stage.window.focusWidget());
                press(stage.window, key);
            } while (stage.window.focusWidget() != first && ++steps < 40);
            QVERIFY(steps < 40);
            QVERIFY(met.size() >= 5);
        }
    }

    void keysDoWhatTheListSays()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        auto& window = stage.console.window();
        press(stage.window, Qt::Key_F6);
        QCOMPARE(stage.window.focusWidget(), stage.window.livePage().charts()[0]);
        press(stage.window, Qt::Key_Space);
        QVERIFY(window.isPaused());
        press(stage.window, Qt::Key_Left);
        QVERIFY(window.crosshair().has_value());
        press(stage.window, Qt::Key_Escape);
        QVERIFY(!window.crosshair().has_value());
        press(stage.window, Qt::Key_Minus);
        QCOMPARE(window.length(), 3'600'000);
        press(stage.window, Qt::Key_Plus, Qt::ShiftModifier);
        QCOMPARE(window.length(), 900'000);
        press(stage.window, Qt::Key_End);
        QVERIFY(!window.isPaused());
        press(stage.window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(stage.window.switchDialog() != nullptr);
        stage.window.switchDialog()->close();
    }

    void theGuideOpensAtThePageInFront()
    {
        Stage stage(view::Theme::dark());
        stage.fill();
        (void)stage.picture();
        stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stage.window));
        press(stage.window, Qt::Key_F1);
        view::HelpWindow* help = stage.window.help();
        QVERIFY(help != nullptr && help->isVisible());
        QCOMPARE(help->chapter(), QStringLiteral("live"));
        for (const QString& chapter : {QStringLiteral("index"), QStringLiteral("switch")}) {
            help->open(chapter);
            QCOMPARE(help->chapter(), chapter);
            test::keepPicture(help->grab().toImage(), QStringLiteral("help-dark-") + chapter);
        }
        help->close();
    }

    void everyKeyIsNamedAndUnique()
    {
        Stage stage;
        std::set<QString> keys;
        for (const QAction* action : stage.window.actions()) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY(!action->shortcuts().isEmpty());
            for (const QKeySequence& key : action->shortcuts())
                QVERIFY(keys.insert(key.toString()).second);
        }
        (void)stage.picture();
        stage.window.openKeys();
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (widget->windowTitle() != QStringLiteral("Keys")) continue;
            test::keepPicture(widget->grab().toImage(), QStringLiteral("keys-light"));
            widget->close();
        }
    }
};

QTEST_MAIN(TestConsoleKeys)
#include "tst_console_keys.moc"
