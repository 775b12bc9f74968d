// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/provider_table.h"
#include "tests/app/support/samples.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace weir;
using namespace weir::model;
using test::sampleTime;

namespace {

/// Rows of providers named like this, in this order.
std::vector<ProviderRow> rowsOf(const QString& names)
{
    std::vector<ProviderRow> rows;
    for (const QString& name : names.split(QChar(' '), Qt::SkipEmptyParts)) {
        ProviderRow row;
        row.key = name + QStringLiteral("/m@us");
        row.provider = name;
        rows.push_back(row);
    }
    return rows;
}

QString namesIn(const ProviderTable& table)
{
    QStringList names;
    for (int i = 0; i < table.rowCount(); ++i)
        names << table.index(i, 0).data().toString();
    return names.join(QChar(' '));
}

RouteStatus route()
{
    return test::sampleStatus().models[0].routes[0];
}

} // namespace

class TestConsoleTable final : public QObject
{
    Q_OBJECT

private slots:

    void snapshotsAreAppliedAsDifferences_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("first") << ""
                               << "a b c";
        QTest::newRow("same") << "a b c"
                              << "a b c";
        QTest::newRow("moved up") << "a b c"
                                  << "c a b";
        QTest::newRow("turned around") << "a b c d"
                                       << "d c b a";
        QTest::newRow("gone and new") << "a b c"
                                      << "x b y";
        QTest::newRow("emptied") << "a b"
                                 << "";
    }

    void snapshotsAreAppliedAsDifferences()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        ProviderTable table;
        QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&table, &QAbstractItemModel::modelReset);
        table.apply(rowsOf(before));
        table.apply(rowsOf(after));
        QCOMPARE(namesIn(table), after);
        QCOMPARE(resets.count(), 0);
    }

    void aSelectedRowStaysSelectedWhenItMoves()
    {
        ProviderTable table;
        table.apply(rowsOf(QStringLiteral("a b c")));
        const QPersistentModelIndex chosen(table.index(2, 0));
        table.apply(rowsOf(QStringLiteral("c x a b")));
        QCOMPARE(chosen.data().toString(), QStringLiteral("c"));
        QCOMPARE(chosen.row(), 0);
    }

    void onlyChangedRowsAreAnnounced()
    {
        ProviderTable table;
        table.apply(rowsOf(QStringLiteral("a b")));
        QSignalSpy changes(&table, &QAbstractItemModel::dataChanged);
        auto rows = rowsOf(QStringLiteral("a b"));
        rows[1].inFlight = 5;
        table.apply(rows);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 1);
    }

    void unknownIsADashWithAReason()
    {
        ProviderTable table;
        table.apply(rowsOf(QStringLiteral("a")));
        for (const int column :
             {ProviderTable::ShareColumn, ProviderTable::TtftColumn, ProviderTable::ErrorsColumn}) {
            const QModelIndex index = table.index(0, column);
            QCOMPARE(index.data().toString(), QStringLiteral("—"));
            QVERIFY(!index.data(Qt::ToolTipRole).toString().isEmpty());
            QVERIFY(index.data(Qt::AccessibleTextRole)
                        .toString()
                        .startsWith(QStringLiteral("unknown: ")));
        }
    }

    void stateIsSignWordAndEveryReason_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("word");
        QTest::addColumn<int>("glyph");
        QTest::addColumn<int>("reasons");
        const auto row = [](const char* what, const char* word, Glyph glyph, int reasons) {
            QTest::newRow(what) << QString::fromLatin1(what) << QString::fromLatin1(word)
                                << static_cast<int>(glyph) << reasons;
        };
        row("healthy", "healthy", Glyph::Disc, 0);
        row("idle", "no data", Glyph::Circle, 1);
        row("drained", "drained", Glyph::Bars, 1);
        row("429", "backing off", Glyph::TriangleDown, 1);
        row("credit", "benched", Glyph::Square, 1);
        row("cut", "backing off", Glyph::TriangleDown, 1);
        row("recovering", "recovering", Glyph::TriangleDownOpen, 1);
        row("breaker", "breaker open", Glyph::Square, 1);
        row("half open", "half open", Glyph::DiamondOpen, 1);
        row("failing", "failing", Glyph::Cross, 1);
        row("some errors", "errors", Glyph::Warning, 1);
        row("everything", "drained", Glyph::Bars, 5);
        row("bench is over", "healthy", Glyph::Disc, 0);
    }

    void stateIsSignWordAndEveryReason()
    {
        QFETCH(QString, what);
        QFETCH(QString, word);
        QFETCH(int, glyph);
        QFETCH(int, reasons);
        RouteStatus status = route();
        const bool isAll = what == QStringLiteral("everything");
        const auto is = [&](const char* name) {
            return isAll || what == QString::fromLatin1(name);
        };
        if (what == QStringLiteral("idle")) status.outcomes1m.clear();
        if (is("drained")) status.enabled = false;
        if (is("429")) status.benchReason = "rate_limited";
        if (what == QStringLiteral("credit")) status.benchReason = "no_credit";
        if (status.benchReason) status.benchedUntil = sampleTime() + std::chrono::seconds{24};
        if (is("cut")) status.gate = "cut";
        if (what == QStringLiteral("recovering")) status.gate = "recovering";
        if (is("breaker")) status.breaker = "open";
        if (what == QStringLiteral("half open")) status.breaker = "half_open";
        if (is("failing")) {
            status.outcomes1m = {{"ok", 2}, {"server_error", 18}};
            status.errorRate1m = 0.9;
        }
        if (what == QStringLiteral("some errors")) {
            status.outcomes1m = {{"ok", 18}, {"reset", 2}};
            status.errorRate1m = 0.1;
        }
        if (what == QStringLiteral("bench is over")) status.benchedUntil = sampleTime();
        const ProviderState state = providerState(status, sampleTime());
        QCOMPARE(state.word, word);
        QCOMPARE(static_cast<int>(state.glyph), glyph);
        QCOMPARE(state.reasons.size(), reasons);
    }

    void hostileNamesStayPlainText()
    {
        ModelStatus model = test::sampleStatus().models[0];
        model.routes[0].provider = std::string("<img src=x>\0\xff", 13);
        const auto rows = providerRows(model, History{}, sampleTime());
        QVERIFY(rows[0].provider.startsWith(QStringLiteral("<img src=x>")));
        QVERIFY(!rows[0].provider.contains(QChar(u'\0')));
    }
};

QTEST_GUILESS_MAIN(TestConsoleTable)
#include "tst_console_table.moc"
