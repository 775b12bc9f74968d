// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

class TestHouse final : public QObject
{
    Q_OBJECT

private slots:

    /// What is older than it is kept goes, bit by bit; the rest stays, and so does who reads on.
    void whatIsOldGoes()
    {
        const QTemporaryDir dir;
        const std::filesystem::path path =
            std::filesystem::path{dir.path().toStdString()} / "weir.db";
        const std::unique_ptr<Database> store = openStore(path);
        std::vector<CallRecord> records;
        int number = 0;
        for (const int daysAgo : {200, 101, 100, 89, 1, 0}) {
            CallRecord record = sampleRecord(++number);
            record.startedAt = now() - std::chrono::hours{24 * daysAgo};
            records.push_back(record);
        }
        QVERIFY(store->ingest(records, "agent-1", {1, 2, 3}));
        int rounds = 0;
        for (bool more = true; more && rounds < 10; ++rounds) {
            more = false;
            const std::vector<Chore> chores = store->keepHouse(90).value();
            for (const Chore& chore : chores)
                more = more || chore.action == "pruned" || chore.action == "dropped";
        }
        QVERIFY(rounds < 10);
        QCOMPARE(store->queryLedger({}).value().rows.size(), 3U);
        ForeignClient shell(path);
        QCOMPARE(shell.rows("SELECT sum(calls) FROM route_10s"), QString{"2"});
        QCOMPARE(shell.rows("SELECT sum(calls) FROM route_minute"), QString{"2"});
        const FactCursor start = store->rowBefore(epochMs(records[3].startedAt)).value();
        QCOMPARE(store->facts(start, 10).value().size(), 3U);
    }

private:
    [[nodiscard]] static UtcTime now()
    {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

QTEST_APPLESS_MAIN(TestHouse)

#include "tst_house.moc"
