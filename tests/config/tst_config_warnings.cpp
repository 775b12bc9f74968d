// SPDX-License-Identifier: Apache-2.0
#include "agent/config/warnings.h"
#include "tests/config/sample.h"

#include <QTest>

using namespace weir::config;

/// A server of one's own is always to stand before something else (seed document 003).
class TstConfigWarnings : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatStandsAlone_data();
    void saysWhatStandsAlone();
};

void TstConfigWarnings::saysWhatStandsAlone_data()
{
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("route");
    const QString big =
        "[model.big]\n[[model.big.route]]\nprovider = \"a\"\nupstream_model = \"x\"\n";
    const QString second =
        "[provider.b]\nprotocol = \"openai\"\nbase_url = \"http://127.0.0.1:2/v1\"\n"
        "[[model.m.route]]\nprovider = \"b\"\nupstream_model = \"x\"\n";
    const QString down = "[task.t]\nmodels = [\"m\", \"big\"]\n";
    const QString up = "[task.u]\nmodels = [\"big\", \"m\"]\n";
    const QString limit = "max_in_flight = 4\n";
    const auto row =
        [](const char* name, const QString& route, const QString& more, const char* said) {
            QTest::newRow(name) << more << said << route;
        };
    row("no limit", {}, {}, "");
    row("alone, on the ladder made for it", limit, {}, "(task.default)");
    row("a second route", limit, second, "");
    row("on no ladder", limit, big, "(requests that name it)");
    row("first of a ladder", limit, big + down, "");
    row("last of one of two", limit, big + down + up, "(task.u)");
}

void TstConfigWarnings::saysWhatStandsAlone()
{
    QFETCH(QString, route);
    QFETCH(QString, more);
    QFETCH(QString, said);
    const std::string text =
        smallest("[[model.m.route]]", route.toStdString()) + '\n' + more.toStdString();
    const auto config = loadText(text, "weir.toml", sampleEnvironment());
    QVERIFY2(config.has_value(), errorsOf(text).c_str());
    const std::vector<std::string> warnings = warningsOf(*config);
    QCOMPARE(warnings.size(), said.isEmpty() ? 0U : 1U);
    if (said.isEmpty()) return;
    const QString warning = QString::fromStdString(warnings[0]);
    QVERIFY2(warning.startsWith("model.m.route[1].max_in_flight: "), qPrintable(warning));
    QVERIFY2(warning.contains(said), qPrintable(warning));
}

QTEST_APPLESS_MAIN(TstConfigWarnings)
#include "tst_config_warnings.moc"
