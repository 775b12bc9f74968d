// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/ledger_view.h"
#include "agent/ctl/table.h"
#include "common/base/number.h"

#include <QTest>

using namespace weir;
using namespace weir::ctl;

/// Numbers, names and tables as a terminal shows them.
class TstCtlFormat : public QObject
{
    Q_OBJECT

private slots:
    void formatsNumbers_data();
    void formatsNumbers();
    void saysWhatIsUnknown();
    void countsCells_data();
    void countsCells();
    void cutsTexts();
    void paintsOnlyATerminal();
    void cutsALineOfSpans();
    void laysATableOut();
    void givesUpColumnsInTheirOrder();
    void readsItsOwnCursor();
    void refusesOtherCursors_data();
    void refusesOtherCursors();
    void sumsCostsExactly();
    void callsASumOfNothingUnknown();
};

namespace {

std::string plain(const std::vector<Line>& lines)
{
    std::string text;
    for (const Line& line : lines)
        text += toText(line, Paint::Plain) + '\n';
    return text;
}

} // namespace

void TstCtlFormat::formatsNumbers_data()
{
    QTest::addColumn<QString>("actual");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& actual, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(actual) << QString::fromUtf8(expected);
    };
    row("age under ten seconds", formatAge(0.44), "0.4 s");
    row("age that rounds to ten", formatAge(9.96), "10 s");
    row("age in seconds", formatAge(119.4), "119 s");
    row("age in minutes", formatAge(121), "2 min");
    row("age in hours", formatAge(3600.0 * 5), "5 h");
    row("age in days", formatAge(86400.0 * 9), "9 d");
    row("age from a clock that went back", formatAge(-3), "0.0 s");
    row("milliseconds", formatMs(640), "640 ms");
    row("a fraction of a millisecond", formatMs(0.5), "0.5 ms");
    row("a second and a bit", formatMs(1249), "1.2 s");
    row("nearly a second", formatMs(999.6), "1.0 s");
    row("many seconds", formatMs(75'000), "75 s");
    row("minutes", formatMs(210'000), "3.5 min");
    row("no rate", formatRate(0.0), "0");
    row("hardly a rate", formatRate(0.0001), "0.01");
    row("a small rate", formatRate(4.06), "4.1");
    row("a rate", formatRate(41.4), "41");
    row("a large rate", formatRate(12345.6), "12,346");
    row("no share", formatShare(0.0), "0 %");
    row("a trace", formatShare(0.0001), "<0.1 %");
    row("a small share", formatShare(0.004), "0.4 %");
    row("a share", formatShare(0.93), "93 %");
    row("almost all", formatShare(0.99999), "99.9 %");
    row("all", formatShare(1.0), "100 %");
    row("a count", formatCount(999), "999");
    row("a large count", formatCount(1234567), "1,234,567");
    row("a negative count", formatCount(-1234), "-1,234");
    row("a cost", formatCost(2265), "$0.002265");
    row("a number", shortestText(0.05), "0.05");
    row("a known reason", describeModeReason("no_summary"), "there is no summary yet");
    row("an unknown reason", describeModeReason("moon_phase"), "moon_phase");
}

void TstCtlFormat::formatsNumbers()
{
    QFETCH(QString, actual);
    QFETCH(QString, expected);
    QCOMPARE(actual, expected);
}

void TstCtlFormat::saysWhatIsUnknown()
{
    const std::string unknown{kUnknown};
    QCOMPARE(formatMs(std::nullopt), unknown);
    QCOMPARE(formatRate(std::nullopt), unknown);
    QCOMPARE(formatShare(std::nullopt), unknown);
    QCOMPARE(formatCount(std::nullopt), unknown);
    QCOMPARE(formatCost(std::nullopt), unknown);
}

void TstCtlFormat::countsCells_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cells");
    QTest::newRow("plain") << "glm-5.2" << 7;
    QTest::newRow("an ellipsis") << QStringLiteral("a…b") << 3;
    QTest::newRow("wide") << QStringLiteral("模型") << 4;
    QTest::newRow("an emoji") << QStringLiteral("🔥") << 2;
    QTest::newRow("a combining accent") << QStringLiteral("e\u0301") << 1;
}

void TstCtlFormat::countsCells()
{
    QFETCH(QString, text);
    QFETCH(int, cells);
    QCOMPARE(static_cast<int>(cellsOf(text.toStdString())), cells);
}

void TstCtlFormat::cutsTexts()
{
    QCOMPARE(cutEnd("fireworks", 9), std::string("fireworks"));
    QCOMPARE(cutEnd("fireworks", 5), std::string("fire…"));
    QCOMPARE(cutEnd("模型模型", 4), std::string("模…"));
    QCOMPARE(cutEnd("x", 0), std::string());
    QCOMPARE(cutMiddle("accounts/fireworks/glm-5p2", 13), std::string("accoun…lm-5p2"));
    for (std::size_t width = 0; width < 12; ++width) {
        QVERIFY(cellsOf(cutMiddle("模型/fire/模型", width)) <= width);
    }
}

void TstCtlFormat::paintsOnlyATerminal()
{
    const Line line{{"ready", Style::Good}, {"  "}};
    QCOMPARE(toText(line, Paint::Plain), std::string("ready"));
    QCOMPARE(toText(line, Paint::Ansi), std::string("\x1b[32mready\x1b[0m  "));
}

void TstCtlFormat::cutsALineOfSpans()
{
    const Line line{{"one", Style::Bold}, {" two"}, {" three"}};
    QCOMPARE(toText(cutEnd(line, 13), Paint::Plain), std::string("one two three"));
    QCOMPARE(toText(cutEnd(line, 9), Paint::Plain), std::string("one two …"));
    QCOMPARE(toText(cutEnd(line, 7), Paint::Plain), std::string("one tw…"));
    for (std::size_t width = 1; width < 14; ++width)
        QVERIFY(cellsOf(cutEnd(line, width)) <= width);
}

void TstCtlFormat::laysATableOut()
{
    Table table;
    table.columns = {{"NAME", Column::Align::Left, 0, {}}, {"COUNT", Column::Align::Right, 1, {}}};
    table.rows = {
        {{{"a heading over it all"}}, {}}, {{}, {{"baseten"}, {"7"}}}, {{}, {{"b"}, {"1,234"}}}};
    QCOMPARE(
        plain(layOut(table, kUnlimited)),
        std::string("NAME     COUNT\n"
                    "a heading over it all\n"
                    "baseten      7\n"
                    "b        1,234\n"));
}

void TstCtlFormat::givesUpColumnsInTheirOrder()
{
    Table table;
    table.columns = {
        {"KEEP", Column::Align::Left, 0, {}},
        {"SHRINK", Column::Align::Left, 1, 7, Column::Cut::Middle},
        {"FIRST", Column::Align::Left, 2, {}}};
    table.rows = {{{}, {{"abcd"}, {"0123456789"}, {"uvwxy"}}}};
    QCOMPARE(
        plain(layOut(table, 23)),
        std::string("KEEP  SHRINK      FIRST\nabcd  0123456789  uvwxy\n"));
    QCOMPARE(plain(layOut(table, 20)), std::string("KEEP  SHRINK   FIRST\nabcd  012…789  uvwxy\n"));
    QCOMPARE(plain(layOut(table, 19)), std::string("KEEP  SHRINK\nabcd  0123456789\n"));
    QCOMPARE(plain(layOut(table, 12)), std::string("KEEP\nabcd\n"));
    QCOMPARE(plain(layOut(table, 3)), std::string("KE…\nab…\n"));
}

void TstCtlFormat::readsItsOwnCursor()
{
    const store::LedgerCursor cursor{fromEpochMs(1764497700123), "req-1.x", 2};
    QCOMPARE(toText(cursor), std::string("1764497700123.2.req-1.x"));
    QVERIFY(parseCursor(toText(cursor)) == cursor);
}

void TstCtlFormat::refusesOtherCursors_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"", "x", "12", "12.", "12.1", "12.1.", "12.x.a", "99999999999999999999.1.a"}) {
        QTest::newRow(text) << QString(text);
    }
}

void TstCtlFormat::refusesOtherCursors()
{
    QFETCH(QString, text);
    QVERIFY(!parseCursor(text.toStdString()));
}

void TstCtlFormat::sumsCostsExactly()
{
    std::vector<store::ProviderTotals> totals(2);
    totals[0].provider = "baseten";
    totals[0].sums.calls = 1200;
    totals[0].sums.costMicroUsd = 999'999;
    totals[0].sums.inputUncached = 10;
    totals[0].sums.inputCached = 5;
    totals[1].provider = "fireworks";
    totals[1].sums.calls = 2;
    totals[1].sums.costMicroUsd = 2;
    totals[1].sums.costUnknown = 1;
    totals[1].sums.outcomes[static_cast<std::size_t>(Outcome::RateLimited)] = 1;
    totals[1].sums.outcomes[static_cast<std::size_t>(Outcome::BadRequest)] = 1;
    QCOMPARE(
        plain(totalLines(totals, kUnlimited)),
        std::string(
            "PROVIDER   ATTEMPTS  FAILED  INPUT  CACHED  OUTPUT       COST  COST UNKNOWN\n"
            "baseten       1,200       0     15       5       0  $0.999999\n"
            "fireworks         2       1      0       0       0  $0.000002             1\n"
            "all           1,202       1     15       5       0  $1.000001             1\n"));
}

void TstCtlFormat::callsASumOfNothingUnknown()
{
    std::vector<store::ProviderTotals> totals(1);
    totals[0].provider = "dead";
    totals[0].sums.calls = totals[0].sums.costUnknown = totals[0].sums.tokensUnknown = 3;
    const std::string line = toText(totalLines(totals, kUnlimited).at(1), Paint::Plain);
    QVERIFY2(
        line.find('0') == line.rfind('0') && line.find("$") == std::string::npos, line.c_str());
    QVERIFY2(line.find("–") != std::string::npos, line.c_str());
}

QTEST_APPLESS_MAIN(TstCtlFormat)

#include "tst_ctl_format.moc"
