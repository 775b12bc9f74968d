// SPDX-License-Identifier: Apache-2.0
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <array>

/// weirctl against a real agent and a real provider: every verb once, and `top` on a real terminal.
class TstCtlLive : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void showsTheStatus();
    void turnsTheSwitchAndWaits();
    void changesASettingAndWaits();
    void disablesARouteThatTheAgentKnows();
    void readsTheCallsFromTheLedger();
    void printsSnapshotsToAPipe();
    void drawsOnATerminalAndGivesItBack();

private:
    struct Ran
    {
        int exit = 0;
        QString out;
        QString err;
    };

    void startAgent();
    [[nodiscard]] Ran ctl(const QStringList& arguments) const;
    [[nodiscard]] QJsonObject ctlJson(const QStringList& arguments) const;
    void askOnce() const;

    QTemporaryDir m_dir;
    QProcess m_provider;
    QProcess m_agent;
    QString m_dataPort;
    QString m_adminUrl;
};

namespace {

constexpr int kPatienceMs = 20000;

/// The rest of the line behind `mark` in what the process prints, or nothing after a while.
QString awaitLine(QProcess& process, const QRegularExpression& mark)
{
    QString text;
    while (process.state() != QProcess::NotRunning || process.bytesAvailable() > 0) {
        text += QString::fromUtf8(process.readAll());
        const QRegularExpressionMatch match = mark.match(text);
        if (match.hasMatch()) return match.captured(1);
        if (!process.waitForReadyRead(kPatienceMs)) break;
    }
    qWarning("%s said only: %s", qPrintable(process.program()), qPrintable(text));
    return {};
}

/// The master's side of a terminal of 100 by 30 cells; its slave becomes the child's.
class Terminal final
{
public:
    Terminal()
    {
        const winsize size{30, 100, 0, 0};
        m_isOpen = ::openpty(&m_master, &m_slave, nullptr, nullptr, &size) == 0;
    }

    ~Terminal()
    {
        ::close(m_master);
        ::close(m_slave);
    }

    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] bool isOpen() const { return m_isOpen; }

    void give(QProcess& process) const
    {
        const int slave = m_slave;
        process.setChildProcessModifier([slave] {
            ::setsid();
            ::ioctl(slave, TIOCSCTTY, 0);
            ::dup2(slave, STDIN_FILENO);
            ::dup2(slave, STDOUT_FILENO);
        });
    }

    void type(char key) const { QCOMPARE(::write(m_master, &key, 1), ssize_t{1}); }

    void resize(unsigned short columns, unsigned short rows) const
    {
        const winsize size{rows, columns, 0, 0};
        ::ioctl(m_master, TIOCSWINSZ, &size);
    }

    /// What has been drawn since the last call, once `part` is in it.
    [[nodiscard]] QByteArray readUntil(const QByteArray& part) const
    {
        QByteArray drawn;
        timeval patience{kPatienceMs / 1000, 0};
        while (!drawn.contains(part)) {
            fd_set ready;
            FD_ZERO(&ready);
            FD_SET(m_master, &ready);
            if (::select(m_master + 1, &ready, nullptr, nullptr, &patience) <= 0) break;
            std::array<char, 4096> buffer{};
            const ssize_t count = ::read(m_master, buffer.data(), buffer.size());
            if (count <= 0) break;
            drawn.append(buffer.data(), count);
        }
        return drawn;
    }

private:
    int m_master = -1;
    int m_slave = -1;
    bool m_isOpen = false;
};

} // namespace

void TstCtlLive::startAgent()
{
    m_agent.setProcessChannelMode(QProcess::MergedChannels);
    m_agent.start(
        QStringLiteral(WEIR_AGENT),
        {"--config", m_dir.filePath("weir.toml"), "--data-dir", m_dir.filePath("data")});
    const QString line = awaitLine(
        m_agent, QRegularExpression("event=ready .*listen=127.0.0.1:(\\d+ admin=\\S+)\n"));
    QVERIFY(!line.isEmpty());
    m_dataPort = line.section(' ', 0, 0);
    m_adminUrl = "http://" + line.section("admin=", 1);
}

void TstCtlLive::initTestCase()
{
    m_provider.start(QStringLiteral(WEIR_FAKE_PROVIDER), {"--port", "0"});
    const QString port = awaitLine(m_provider, QRegularExpression("listening 127.0.0.1:(\\d+)"));
    QVERIFY(!port.isEmpty());
    QFile file(m_dir.filePath("weir.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QString text =
        QStringLiteral("[agent]\n"
                       "listen = \"127.0.0.1:0\"\nadmin_listen = \"127.0.0.1:0\"\n"
                       "service = \"live-test\"\n"
                       "[timing]\nsettings_poll_s = 0.1\nledger_flush_ms = 50\n"
                       "[provider.fake]\nbase_url = \"http://127.0.0.1:%1/v1\"\n"
                       "[[model.m.route]]\nprovider = \"fake\"\nupstream_model = \"up\"\n"
                       "price = { input = 1, output = 2 }\n")
            .arg(port);
    file.write(text.toUtf8());
    file.close();
    startAgent();
}

void TstCtlLive::cleanupTestCase()
{
    for (QProcess* process : {&m_agent, &m_provider}) {
        process->terminate();
        if (!process->waitForFinished(kPatienceMs)) process->kill();
        process->waitForFinished();
    }
}

TstCtlLive::Ran TstCtlLive::ctl(const QStringList& arguments) const
{
    QProcess process;
    process.start(
        QStringLiteral(WEIRCTL),
        arguments + QStringList{"--agent", m_adminUrl, "--data-dir", m_dir.filePath("data")});
    process.waitForFinished(kPatienceMs);
    return {
        process.exitCode(),
        QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

QJsonObject TstCtlLive::ctlJson(const QStringList& arguments) const
{
    const Ran ran = ctl(arguments + QStringList{"--json"});
    if (ran.exit != 0) qWarning("%s", qPrintable(ran.err));
    return QJsonDocument::fromJson(ran.out.toUtf8()).object();
}

void TstCtlLive::askOnce() const
{
    const QByteArray body = R"({"model":"m","messages":[{"role":"user","content":"hello"}]})";
    QTcpSocket socket;
    socket.connectToHost("127.0.0.1", m_dataPort.toUShort());
    QVERIFY(socket.waitForConnected(kPatienceMs));
    socket.write(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        "Connection: close\r\nContent-Length: " +
        QByteArray::number(body.size()) + "\r\n\r\n" + body);
    QByteArray answer;
    while (socket.waitForReadyRead(kPatienceMs))
        answer += socket.readAll();
    QVERIFY2(answer.startsWith("HTTP/1.1 200"), answer.constData());
}

void TstCtlLive::showsTheStatus()
{
    const Ran ran = ctl({"status"});
    QCOMPARE(ran.err, QString());
    QCOMPARE(ran.exit, 0);
    QVERIFY2(ran.out.startsWith(" FIXED   switch v1 by weir-agent"), qPrintable(ran.out));
    QVERIFY2(ran.out.contains("live-test@"), qPrintable(ran.out));
    QCOMPARE(ctlJson({"status"}).value("effective_mode").toString(), QString("fixed"));
    QVERIFY(ctl({"top", "--once"}).out.contains("fake"));
}

void TstCtlLive::turnsTheSwitchAndWaits()
{
    const Ran ran = ctl({"mode", "set", "shadow", "--reason", "look first"});
    QCOMPARE(ran.err, QString());
    QCOMPARE(ran.exit, 0);
    QVERIFY2(ran.out.contains("The switch is shadow now, version 2."), qPrintable(ran.out));
    QVERIFY2(ran.out.contains("Applied by 1/1 agents in "), qPrintable(ran.out));
    QCOMPARE(ctlJson({"status"}).value("mode").toString(), QString("shadow"));
    const QJsonObject back = ctlJson({"mode", "set", "fixed", "--reason", "back"});
    QCOMPARE(back.value("applied").toObject().value("applied").toInt(), 1);
    QVERIFY(ctl({"mode", "get"}).out.contains("1/1 agents go by version 3."));
}

void TstCtlLive::changesASettingAndWaits()
{
    const Ran ran = ctl({"settings", "set", "slow_factor=4", "--reason", "a test"});
    QCOMPARE(ran.err, QString());
    QVERIFY2(ran.out.contains("Applied by 1/1 agents in "), qPrintable(ran.out));
    QCOMPARE(ctlJson({"status"}).value("settings_version").toInt(), 2);
}

void TstCtlLive::disablesARouteThatTheAgentKnows()
{
    const Ran unknown =
        ctl({"settings", "set", "route.m.fakes.enabled=false", "--reason", "a test"});
    QCOMPARE(unknown.exit, 2);
    QCOMPARE(
        unknown.err,
        QString("weirctl: route.m.fakes.enabled: no such route: did you mean m.fake?\n"));
    QCOMPARE(ctl({"settings", "set", "route.m.fake.score_bias=1.1", "--reason", "a test"}).exit, 0);
}

void TstCtlLive::readsTheCallsFromTheLedger()
{
    for (int i = 0; i < 3; ++i)
        askOnce();
    QTRY_COMPARE_WITH_TIMEOUT(
        ctlJson({"ledger", "query"}).value("rows").toArray().size(), 3, kPatienceMs);
    const QJsonObject ledger =
        ctlJson({"ledger", "query", "--outcome", "ok", "--provider", "fake"});
    const QJsonArray rows = ledger.value("rows").toArray();
    QCOMPARE(rows.size(), 3);
    qint64 cost = 0;
    for (const auto& row : rows)
        cost += row.toObject().value("cost_micro_usd").toInteger();
    QVERIFY(cost > 0);
    QCOMPARE(ledger.value("totals").toObject().value("cost_micro_usd").toInteger(), cost);
}

void TstCtlLive::printsSnapshotsToAPipe()
{
    QProcess top;
    top.start(QStringLiteral(WEIRCTL), {"top", "--json", "--agent", m_adminUrl});
    QByteArray lines;
    while (lines.count('\n') < 2 && top.waitForReadyRead(kPatienceMs)) {
        lines += top.readAllStandardOutput();
    }
    const QJsonObject snapshot = QJsonDocument::fromJson(lines.left(lines.indexOf('\n'))).object();
    QCOMPARE(snapshot.value("service").toString(), QString("live-test"));
    top.terminate();
    QVERIFY(top.waitForFinished(kPatienceMs));
    QCOMPARE(top.exitStatus(), QProcess::NormalExit);
    QCOMPARE(top.exitCode(), 0);
}

void TstCtlLive::drawsOnATerminalAndGivesItBack()
{
    const Terminal terminal;
    QVERIFY(terminal.isOpen());
    QProcess top;
    terminal.give(top);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TERM", "xterm-256color");
    top.setProcessEnvironment(environment);
    top.start(QStringLiteral(WEIRCTL), {"top", "--agent", m_adminUrl});
    const QByteArray first = terminal.readUntil("COST/MIN");
    QVERIFY2(first.contains("\x1b[?1049h\x1b[?25l"), first.constData());
    QVERIFY2(first.contains("\x1b[1;30;43m FIXED \x1b[0m"), first.constData());

    terminal.resize(40, 10);
    const QByteArray narrow = terminal.readUntil("REQ/S");
    QVERIFY2(!narrow.contains("COST/MIN"), narrow.constData());

    m_agent.kill();
    m_agent.waitForFinished();
    const QByteArray stale = terminal.readUntil("STALE");
    QVERIFY2(stale.contains(" STALE "), stale.constData());

    terminal.type('q');
    const QByteArray last = terminal.readUntil("\x1b[?1049l");
    QVERIFY2(last.endsWith("\x1b[?25h\x1b[?1049l"), last.constData());
    QVERIFY(top.waitForFinished(kPatienceMs));
    QCOMPARE(top.exitCode(), 0);
}

QTEST_GUILESS_MAIN(TstCtlLive)
#include "tst_ctl_live.moc"
