// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/command_line.h"
#include "tests/ctl/run.h"

#include <QTest>

using namespace weir;
using namespace weir::ctl;
using namespace std::chrono_literals;

/// What weirctl makes of its arguments, up to the exit code.
class TstCtlCommand : public QObject
{
    Q_OBJECT

private slots:
    void refusesBadUsage_data();
    void refusesBadUsage();
    void helps_data();
    void helps();
    void readsMoments_data();
    void readsMoments();
    void readsEveryOptionAfterTheVerb();
    void saysThatNoAgentListens_data();
    void saysThatNoAgentListens();
};

void TstCtlCommand::refusesBadUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& arguments, const char* said) {
        QTest::newRow(name) << arguments << QString(said);
    };
    row("nothing", {}, "weirctl: A subcommand is required: see weirctl --help\n");
    row("unknown verb",
        {"stauts"},
        "weirctl: no such verb: stauts: did you mean status?: see weirctl --help\n");
    row("unknown verb of a group",
        {"mode", "sit", "fixed"},
        "weirctl: no such verb: sit: did you mean set?: see weirctl mode --help\n");
    row("group alone", {"mode"}, "weirctl: A subcommand is required: see weirctl mode --help\n");
    row("mode missing",
        {"mode", "set", "--reason", "x"},
        "weirctl: mode is required: see weirctl mode set --help\n");
    row("mode misspelt",
        {"mode", "set", "adaptve", "--reason", "x"},
        "weirctl: mode: must be adaptive, shadow or fixed, not adaptve: did you mean adaptive?: "
        "see weirctl mode set --help\n");
    row("no reason",
        {"mode", "set", "fixed"},
        "weirctl: --reason is required: see weirctl mode set --help\n");
    row("empty reason",
        {"mode", "set", "fixed", "--reason", " "},
        "weirctl: --reason: must say why, as it stands in the audit: see weirctl mode set "
        "--help\n");
    row("unknown option",
        {"status", "--colour"},
        "weirctl: The following argument was not expected: --colour: see weirctl status --help\n");
    row("limit",
        {"ledger", "query", "--limit", "0"},
        "weirctl: --limit: Value 0 not in range 1 to 1000: see weirctl ledger query --help\n");
    row("time",
        {"ledger", "query", "--since", "yesterday"},
        "weirctl: --since: is no time: write 2026-11-30T10:00:00Z, 2026-11-30, or an age such as "
        "15m, 2h, 7d: see weirctl ledger query --help\n");
    row("outcome",
        {"ledger", "query", "--outcome", "rate_limit"},
        "weirctl: --outcome: no such outcome: rate_limit: did you mean rate_limited?: see weirctl "
        "ledger query --help\n");
    row("eval without its task",
        {"eval", "run", "set.jsonl"},
        "weirctl: --task is required: see weirctl eval run --help\n");
    row("eval without its set",
        {"eval", "run", "/nowhere/set.jsonl", "--task", "t", "--model", "m"},
        "weirctl: /nowhere/set.jsonl: cannot be read\n");
    row("eval of too many at once",
        {"eval", "run", "set.jsonl", "--task", "t", "--concurrency", "65"},
        "weirctl: --concurrency: Value 65 not in range 1 to 64: see weirctl eval run --help\n");
    row("cursor",
        {"ledger", "query", "--after", "x"},
        "weirctl: --after: is no cursor: give the word that the page before ended with\n");
}

void TstCtlCommand::refusesBadUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    std::vector<std::string> given;
    for (const QString& one : arguments)
        given.push_back(one.toStdString());
    const Ran ran = weirctl(given);
    QCOMPARE(QString::fromStdString(ran.err), said);
    QCOMPARE(ran.exit, 2);
    QVERIFY(ran.out.empty());
}

void TstCtlCommand::helps_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("help") << QStringList{"--help"} << "ledger";
    QTest::newRow("help of a verb") << QStringList{"mode", "set", "--help"} << "--reason";
    QTest::newRow("version") << QStringList{"--version"} << "weirctl 0.1.0";
}

void TstCtlCommand::helps()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    std::vector<std::string> given;
    for (const QString& one : arguments)
        given.push_back(one.toStdString());
    const Ran ran = weirctl(given);
    QCOMPARE(ran.exit, 0);
    QVERIFY2(has(ran.out, part.toStdString()), ran.out.c_str());
    QVERIFY(ran.err.empty());
}

void TstCtlCommand::readsMoments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("iso"); // empty: none
    QTest::newRow("time") << "2026-11-30T10:00:00Z"
                          << "2026-11-30T10:00:00.000Z";
    QTest::newRow("day") << "2026-11-30"
                         << "2026-11-30T00:00:00.000Z";
    QTest::newRow("minutes") << "15m"
                             << "2025-11-30T10:00:00.000Z";
    QTest::newRow("days") << "2d"
                          << "2025-11-28T10:15:00.000Z";
    // B119: equal lengths are equal in every unit, beyond a day, too.
    QTest::newRow("a day in hours") << "24h"
                                    << "2025-11-29T10:15:00.000Z";
    QTest::newRow("a day in days") << "1d"
                                   << "2025-11-29T10:15:00.000Z";
    QTest::newRow("25 hours in seconds") << "90000s"
                                         << "2025-11-29T09:15:00.000Z";
    QTest::newRow("25 hours") << "25h"
                              << "2025-11-29T09:15:00.000Z";
    QTest::newRow("a year in minutes") << "525600m"
                                       << "2024-11-30T10:15:00.000Z";
    QTest::newRow("no unit") << "15"
                             << "";
    QTest::newRow("negative") << "-5m"
                              << "";
    QTest::newRow("too far") << "99999999999d"
                             << "";
    QTest::newRow("word") << "yesterday"
                          << "";
}

void TstCtlCommand::readsMoments()
{
    QFETCH(QString, text);
    QFETCH(QString, iso);
    const std::optional<UtcTime> moment = parseMoment(text.toStdString(), kNow);
    QCOMPARE(moment ? QString::fromStdString(toIso(*moment)) : QString(), iso);
}

void TstCtlCommand::readsEveryOptionAfterTheVerb()
{
    const auto parsed = parseCommandLine(
        {"ledger",
         "query",
         "--json",
         "--since",
         "1h",
         "--provider",
         "baseten",
         "--store",
         "sqlite:/x",
         "--outcome",
         "rate_limited",
         "--limit",
         "7"},
        kNow);
    QVERIFY(parsed.has_value());
    QVERIFY(parsed->options.json);
    QCOMPARE(parsed->options.storeUrl, std::string("sqlite:/x"));
    const auto& query = std::get<LedgerQueryVerb>(parsed->verb);
    QVERIFY(query.since == kNow - 1h);
    QVERIFY(!query.until);
    QVERIFY(query.outcome == Outcome::RateLimited);
    QCOMPARE(query.limit, 7);
}

void TstCtlCommand::saysThatNoAgentListens_data()
{
    QTest::addColumn<QStringList>("verb");
    QTest::newRow("status") << QStringList{"status"};
    QTest::newRow("top") << QStringList{"top"};
    QTest::newRow("top once") << QStringList{"top", "--once"};
}

void TstCtlCommand::saysThatNoAgentListens()
{
    QFETCH(QStringList, verb);
    const std::string agent = deadAgent();
    std::vector<std::string> given;
    for (const QString& one : verb)
        given.push_back(one.toStdString());
    given.insert(given.end(), {"--agent", agent});
    const Ran ran = weirctl(given);
    QCOMPARE(ran.exit, 1);
    QCOMPARE(ran.err, "weirctl: " + agent + ": nothing listens there (is the agent running?)\n");
    QVERIFY(ran.out.empty());
}

QTEST_GUILESS_MAIN(TstCtlCommand)
#include "tst_ctl_command.moc"
