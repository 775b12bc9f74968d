// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/fake_agent.h"
#include "tests/app/support/store_file.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace weir;

namespace {

struct Run
{
    int code = -1;
    QString out;
    QString error;
};

/// A window of the real program, until it is closed from outside.
class Window final
{
public:
    explicit Window(const QStringList& arguments)
    {
        m_process.start(QStringLiteral(WEIR_CONSOLE), arguments);
    }

    ~Window() { close(); }

    void close()
    {
        if (m_process.state() == QProcess::NotRunning) return;
        m_process.terminate();
        if (!m_process.waitForFinished(10'000)) m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

/// Runs the real program; the test's own event loop serves the fake agent meanwhile.
Run console(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(WEIR_CONSOLE), arguments);
    const bool isDone =
        QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 30'000);
    if (!isDone) process.kill();
    process.waitForFinished();
    return {
        process.exitCode(),
        QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestConsoleProgram final : public QObject
{
    Q_OBJECT

private slots:

    void aPictureIsTakenOnceDataIsThere()
    {
        test::FakeAgent agent;
        test::StoreFile store;
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("live.png"));
        const Run run = console(
            {QStringLiteral("--agent"),
             agent.url().toString(),
             QStringLiteral("--store"),
             QStringLiteral("sqlite:") + store.path(),
             QStringLiteral("--profile"),
             QStringLiteral("test"),
             QStringLiteral("--page"),
             QStringLiteral("live"),
             QStringLiteral("--theme"),
             QStringLiteral("dark"),
             QStringLiteral("--size"),
             QStringLiteral("1280x720"),
             QStringLiteral("--screenshot"),
             file});
        QVERIFY2(run.code == 0, qPrintable(run.error));
        const QImage image(file);
        QCOMPARE(image.size(), QSize(1280, 720));
        QCOMPARE(image.pixelColor(152, 100), QColor(0x12151A));
    }

    void aSecondStartAsksTheFirstWindowToTheFront()
    {
        test::FakeAgent agent;
        const QStringList arguments{
            QStringLiteral("--profile"),
            QStringLiteral("twice"),
            QStringLiteral("--agent"),
            agent.url().toString()};
        Window first(arguments);
        QTRY_COMPARE_WITH_TIMEOUT(agent.streams(), 1, 20'000);
        const Run second = console(arguments + QStringList{QStringLiteral("weir://live")});
        QCOMPARE(second.code, 0);
        QVERIFY2(second.error.contains(QStringLiteral("open already")), qPrintable(second.error));
        QCOMPARE(agent.streams(), 1);
        // One that is gone leaves nothing behind that would keep the next from opening.
        first.close();
        QTRY_COMPARE_WITH_TIMEOUT(agent.streams(), 0, 20'000);
        const Window third(arguments);
        QTRY_COMPARE_WITH_TIMEOUT(agent.streams(), 1, 20'000);
    }

    void withoutAnAgentItSaysWhoDidNotAnswer()
    {
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("live.png"));
        const Run run = console(
            {QStringLiteral("--agent"),
             QStringLiteral("http://127.0.0.1:9"),
             QStringLiteral("--screenshot"),
             file});
        QCOMPARE(run.code, 1);
        QVERIFY2(
            run.error.contains(
                QStringLiteral("no data from 127.0.0.1:9 within 10 s: Connection refused")),
            qPrintable(run.error));
        QVERIFY(!QFile::exists(file));
    }

    void badUsageIsTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const QStringList& arguments) {
            QTest::newRow(name) << arguments;
        };
        row("unknown option", {QStringLiteral("--nonsense")});
        row("another store", {QStringLiteral("--store"), QStringLiteral("mysql://x")});
        row("no database", {QStringLiteral("--store"), QStringLiteral("postgresql://u:secret@x")});
        row("bad size", {QStringLiteral("--size"), QStringLiteral("big")});
        row("bad theme", {QStringLiteral("--theme"), QStringLiteral("pink")});
        row("another page", {QStringLiteral("--page"), QStringLiteral("nowhere")});
        row("bad address", {QStringLiteral("--agent"), QStringLiteral("ftp://x")});
        row("stray word", {QStringLiteral("stray")});
    }

    void badUsageIsTwo()
    {
        QFETCH(QStringList, arguments);
        const Run run = console(arguments);
        QCOMPARE(run.code, 2);
        QVERIFY(run.error.startsWith(QStringLiteral("weir-console: ")));
        QVERIFY(!run.error.contains(QStringLiteral("secret")));
    }

    void helpNamesEveryOption()
    {
        const Run run = console({QStringLiteral("--help")});
        QCOMPARE(run.code, 0);
        for (const char* option :
             {"--store",
              "--agent",
              "--profile",
              "--page",
              "--screenshot",
              "--theme",
              "--read-only",
              "--size"}) {
            QVERIFY2(run.out.contains(QString::fromLatin1(option)), option);
        }
    }
};

QTEST_GUILESS_MAIN(TestConsoleProgram)
#include "tst_console_program.moc"
