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
