// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_writer.h"
#include "agent/store/record_codec.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

constexpr std::size_t kBatchRows = 1000;

/// Does what the store behind it does, and dies where the test says: before its work, so that
/// nothing was committed, or after it, so that only the answer is lost.
class DyingStore final : public Store
{
public:
    enum class Death { None, BeforeCommit, AfterCommit };

    explicit DyingStore(Database& real)
        : m_real(real)
    {
    }

    Death death = Death::None;

    std::size_t ledgerBatchRows() const override { return kBatchRows; }

    Result<Ingested> ingest(
        std::vector<CallRecord> records,
        const std::string& agent,
        const SpoolPosition& end,
        const std::function<void()>& meanwhile) override
    {
        if (death == Death::BeforeCommit) return fail("store_full", "", "database or disk is full");
        Result<Ingested> done = m_real.ingest(std::move(records), agent, end, meanwhile);
        if (death == Death::AfterCommit) return fail("busy", "", "the answer was lost");
        return done;
    }

    Result<std::optional<SpoolPosition>> spoolPosition(const std::string& agent) override
    {
        return m_real.spoolPosition(agent);
    }

    Result<Decisions> readDecisions() override { return m_real.readDecisions(); }

    Result<Write<RoutingSwitch>> writeSwitch(const SwitchChange& c) override
    {
        return m_real.writeSwitch(c);
    }

    Result<Write<RoutingSettings>> writeSettings(const SettingsChange& c) override
    {
        return m_real.writeSettings(c);
    }

    Result<Write<RouteSettings>> writeRoute(const RouteChange& c) override
    {
        return m_real.writeRoute(c);
    }

    Result<std::vector<AuditEntry>> audit(int limit) override { return m_real.audit(limit); }

    Result<std::int64_t> heartbeat(const Heartbeat& beat) override
    {
        return m_real.heartbeat(beat);
    }

    Result<std::vector<AgentPresence>> agents() override { return m_real.agents(); }

    Status<> forgetAgent(const std::string& id) override { return m_real.forgetAgent(id); }

    Result<std::string> fleetSecret() override { return m_real.fleetSecret(); }

    Result<bool> awaitChange(std::chrono::milliseconds atMost) override
    {
        return m_real.awaitChange(atMost);
    }

    void wake() override { m_real.wake(); }

    void hangUp() override { m_real.hangUp(); }

    Result<LedgerPage> queryLedger(const LedgerQuery& q) override { return m_real.queryLedger(q); }

    Result<std::vector<ProviderTotals>> totals(const LedgerFilter& f) override
    {
        return m_real.totals(f);
    }

    Result<std::vector<HistoryPoint>> history(const HistoryQuery& q) override
    {
        return m_real.history(q);
    }

    Result<std::vector<RouteActivity>> activity(UtcTime from, UtcTime to) override
    {
        return m_real.activity(from, to);
    }

    Status<> eachAttempt(const RequestQuery& q, const SeeAttempt& see) override
    {
        return m_real.eachAttempt(q, see);
    }

    Status<> eachUnserved(const RequestQuery& q, const SeeUnserved& see) override
    {
        return m_real.eachUnserved(q, see);
    }

private:
    Database& m_real;
};

std::string framesOf(int first, int count)
{
    std::string frames;
    for (int i = first; i < first + count; ++i)
        appendFrame(sampleRecord(i), frames);
    return frames;
}

} // namespace

class TestLedgerWriter : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        const std::filesystem::path root = m_dir->path().toStdString();
        m_spool = root / "spool";
        m_dbPath = root / "weir.db";
        m_db = openStore(m_dbPath);
        m_store = std::make_unique<DyingStore>(*m_db);
    }

    void cleanup()
    {
        m_store.reset();
        m_db.reset();
        m_dir.reset();
    }

    void movesEveryRowOnce()
    {
        SpoolWriter spool(m_spool, 1U << 20U);
        QVERIFY(spool.append(framesOf(0, 2500)));
        LedgerWriter writer(*m_store, m_spool, "agent-1");
        QCOMPARE(writer.step().value(), kBatchRows);
        QCOMPARE(writer.gauge().backlogRows, 1500);
        QVERIFY(writer.gauge().backlogBytes > 0);
        QCOMPARE(writer.step().value(), kBatchRows);
        QCOMPARE(writer.gauge().backlogRows, 500);
        QCOMPARE(writer.step().value(), 500U);
        QCOMPARE(writer.step().value(), 0U);
        QCOMPARE(writer.gauge().backlogRows, 0);
        QCOMPARE(writer.gauge().backlogBytes, 0);
        QCOMPARE(writer.gauge().ingestedRows, 2500);
        QCOMPARE(count(), "2500|2500");
    }

    /// A crash may fall before or after the commit, and after the commit before or after the
    /// release of the segment; a new writer must find every row exactly once.
    void survivesEveryCrash_data()
    {
        QTest::addColumn<int>("death");
        QTest::addColumn<int>("deadSteps");
        for (int step = 0; step < 4; ++step) {
            QTest::addRow("before commit of batch %d", step)
                << static_cast<int>(DyingStore::Death::BeforeCommit) << step;
            QTest::addRow("after commit of batch %d", step)
                << static_cast<int>(DyingStore::Death::AfterCommit) << step;
        }
    }

    void survivesEveryCrash()
    {
        QFETCH(int, death);
        QFETCH(int, deadSteps);
        // 32 kB segments, so that the batches lie across several.
        SpoolWriter spool(m_spool, 1U << 20U);
        for (int i = 0; i < 35; ++i)
            QVERIFY(spool.append(framesOf(i * 100, 100)));
        {
            LedgerWriter writer(*m_store, m_spool, "agent-1");
            for (int i = 0; i < deadSteps; ++i)
                QVERIFY(writer.step());
            m_store->death = static_cast<DyingStore::Death>(death);
            QVERIFY(!writer.step());
        }
        m_store->death = DyingStore::Death::None;
        LedgerWriter next(*m_store, m_spool, "agent-1");
        // Segments that the dead one could not release any more go with the next row.
        QVERIFY(spool.append(framesOf(3500, 1)));
        while (next.step().value() > 0) {
        }
        QCOMPARE(count(), "3501|3501");
        QCOMPARE(next.gauge().backlogRows, 0);
        QCOMPARE(historyCalls(), "3501");
        QVERIFY(segmentsIn(m_spool).value().size() == 1);
    }

private:
    QString count()
    {
        ForeignClient shell(m_dbPath);
        return shell.rows("SELECT count(*), count(DISTINCT request_id) FROM call_ledger");
    }

    QString historyCalls()
    {
        ForeignClient shell(m_dbPath);
        return shell.rows("SELECT sum(calls) FROM route_minute");
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_spool;
    std::filesystem::path m_dbPath;
    std::unique_ptr<Database> m_db;
    std::unique_ptr<DyingStore> m_store;
};

QTEST_APPLESS_MAIN(TestLedgerWriter)
#include "tst_ledger_writer.moc"
