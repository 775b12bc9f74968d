// SPDX-License-Identifier: Apache-2.0
#include "agent/store/spool.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <set>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

class TestSpool : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_folder = std::filesystem::path{m_dir->path().toStdString()} / "spool";
        m_now = 0;
    }

    void writesWhatWasRecordedBeforeItStops()
    {
        SpoolRecorder recorder(options());
        for (int i = 0; i < 1000; ++i)
            recorder.record(sampleRecord(i));
        recorder.stop();
        QCOMPARE(rowsOnDisk(), 1000U);
        QCOMPARE(recorder.gauge().queuedRows, 0);
        QCOMPARE(recorder.gauge().lostRows, 0);
        QVERIFY(recorder.alerts().empty());
    }

    void writesWithoutBeingStopped()
    {
        SpoolRecorder recorder(options());
        recorder.record(sampleRecord(1));
        QTRY_COMPARE(rowsOnDisk(), 1U);
        QTRY_COMPARE(recorder.gauge().queuedRows, 0);
        recorder.record(sampleRecord(2));
        QTRY_COMPARE(rowsOnDisk(), 2U);
    }

    void takesFromManyThreadsAndShowsEachOnce()
    {
        std::mutex mutex;
        std::multiset<std::string> seen;
        SpoolRecorder recorder(options(), [&](std::span<const CallRecord> batch) {
            const std::scoped_lock lock(mutex);
            for (const CallRecord& record : batch)
                seen.insert(record.requestId);
        });
        std::vector<std::thread> workers;
        for (int worker = 0; worker < 4; ++worker) {
            workers.emplace_back([&recorder, worker] {
                for (int i = 0; i < 500; ++i)
                    recorder.record(sampleRecord(worker * 500 + i));
            });
        }
        for (std::thread& worker : workers)
            worker.join();
        recorder.stop();
        QCOMPARE(seen.size(), 2000U);
        QCOMPARE(std::set<std::string>(seen.begin(), seen.end()).size(), 2000U);
        QCOMPARE(rowsOnDisk(), 2000U);
    }

    /// A folder that cannot be made (a file stands in its place) is a disk that takes nothing.
    void keepsRowsWhileTheDiskRefusesAndSaysSo()
    {
        std::ofstream(m_folder) << "in the way";
        SpoolRecorder recorder(options());
        recorder.record(sampleRecord(1));
        QTRY_COMPARE(recorder.alerts().size(), 1U);
        QCOMPARE(recorder.alerts().front().kind, std::string{"spool_failed"});
        QCOMPARE(recorder.alerts().front().since, kNoon);
        QCOMPARE(recorder.gauge().queuedRows, 1);
        std::filesystem::remove(m_folder);
        QTRY_COMPARE(recorder.gauge().queuedRows, 0);
        QCOMPARE(rowsOnDisk(), 1U);
        QCOMPARE(recorder.gauge().lostRows, 0);
        // The alert stays for a while, then ends.
        QCOMPARE(recorder.alerts().size(), 1U);
        m_now = 3600;
        QVERIFY(recorder.alerts().empty());
    }

    void refusesAndCountsBeyondItsMemory()
    {
        std::ofstream(m_folder) << "in the way";
        SpoolOptions small = options();
        small.queueBytesMax = 10 * 1024;
        SpoolRecorder recorder(small);
        for (int i = 0; i < 1000; ++i)
            recorder.record(sampleRecord(i));
        const SpoolGauge gauge = recorder.gauge();
        QCOMPARE(gauge.queuedRows + gauge.lostRows, 1000);
        QVERIFY(gauge.queuedRows > 0);
        QVERIFY(gauge.lostRows > 900);
        QTRY_COMPARE(recorder.alerts().size(), 1U);
        QVERIFY(recorder.alerts().front().text.ends_with(
            "lost so far: " + std::to_string(gauge.lostRows) + " ledger rows"));
        recorder.stop();
        QCOMPARE(recorder.gauge().lostRows, 1000);
    }

    void alertsWhenTheSpoolIsFull()
    {
        SpoolOptions small = options();
        small.bytesMax = 4096;
        SpoolRecorder recorder(small);
        for (int i = 0; i < 100; ++i)
            recorder.record(sampleRecord(i));
        QTRY_COMPARE(recorder.alerts().size(), 1U);
        QCOMPARE(recorder.alerts().front().kind, std::string{"spool_full"});
    }

    void losesAndCountsWhatComesAfterTheEnd()
    {
        SpoolRecorder recorder(options());
        recorder.stop();
        recorder.record(sampleRecord(1));
        QCOMPARE(recorder.gauge().lostRows, 1);
    }

private:
    SpoolOptions options()
    {
        SpoolOptions options;
        options.folder = m_folder;
        options.now = [this] { return Instant{std::chrono::seconds{m_now.load()}}; };
        options.utcNow = [] { return kNoon; };
        return options;
    }

    std::size_t rowsOnDisk()
    {
        return SpoolReader(m_folder).read(std::nullopt, 1'000'000).value().records.size();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_folder;
    std::atomic<int> m_now{0};
};

QTEST_APPLESS_MAIN(TestSpool)
#include "tst_spool.moc"
