// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

/// What people look back at decisions with.
class TestExplorer final : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_store = openStore(std::filesystem::path{m_dir->path().toStdString()} / "weir.db");
    }

    void cleanup() { m_store.reset(); }

    void filters()
    {
        CallRecord spilled = sampleRecord(2);
        spilled.conversation = "77c0ffee";
        spilled.agentId = "agent-9";
        spilled.reason = Reason::Spill;
        spilled.outcome = Outcome::RateLimited;
        CallRecord neutral = sampleRecord(3);
        neutral.outcome = Outcome::BadRequest;
        ingest({sampleRecord(1), spilled, neutral});
        const auto count = [this](const std::function<void(LedgerFilter&)>& narrow) {
            LedgerQuery query;
            narrow(query.filter);
            return m_store->queryLedger(query).value().rows.size();
        };
        QCOMPARE(count([](LedgerFilter& f) { f.conversation = "77c0ffee"; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.agent = "agent-9"; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.reason = Reason::Spill; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.reason = Reason::Override; }), 0U);
        // What the caller did wrong is nobody's failure.
        QCOMPARE(count([](LedgerFilter& f) { f.failed = true; }), 1U);
        LedgerFilter failedAtAgent;
        failedAtAgent.failed = true;
        failedAtAgent.agent = "agent-9";
        const auto sums = m_store->totals(failedAtAgent).value();
        QCOMPARE(sums.size(), 1U);
        QCOMPARE(sums[0].sums.calls, 1);
    }

    void reasonsByStep()
    {
        std::vector<CallRecord> records;
        const auto add = [&records](int number, int second, Reason reason) -> CallRecord& {
            CallRecord record = sampleRecord(number);
            record.startedAt = kNoon + std::chrono::seconds{second};
            record.reason = reason;
            record.attempt = 1;
            record.flags = 0;
            records.push_back(record);
            return records.back();
        };
        add(1, 0, Reason::Leader);
        add(2, 59, Reason::Leader);
        add(3, 61, Reason::Spill);
        add(4, 62, Reason::Failover).attempt = 2;
        add(5, 63, Reason::Leader).flags = static_cast<std::uint16_t>(CallFlag::Mirror);
        add(6, 180, Reason::Leader);
        ingest(records);
        const std::int64_t noon = epochMs(kNoon);
        const auto counts = m_store->reasons(noon, noon + 180'000, 60'000).value();
        const std::vector<ReasonCount> expected{
            {noon, Reason::Leader, 2}, {noon + 60'000, Reason::Spill, 1}};
        QCOMPARE(counts, expected);
    }

    void whyARequestHadNoAttempt()
    {
        CallRecord shed = sampleRecord(1);
        shed.attempt = 0;
        shed.unserved = Unserved::Shed;
        ingest({shed, sampleRecord(2)});
        QCOMPARE(m_store->unserved(shed.requestId).value(), std::optional(Unserved::Shed));
        QVERIFY(!m_store->unserved("req-2").value());
    }

private:
    void ingest(const std::vector<CallRecord>& records)
    {
        const auto taken = m_store->ingest(records, "agent-1", {1, 2, 3});
        QVERIFY(taken);
        QCOMPARE(taken->refused, 0);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestExplorer)
#include "tst_explorer.moc"
