// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

constexpr std::int64_t kNoonMs = epochMs(kNoon);

SummaryRow summaryAt(std::int64_t ms, const std::string& id)
{
    return {id, ms, 4, R"({"pools":[]})"};
}

Incident sampleIncident()
{
    Incident incident;
    incident.id = "outage-glm-5.2/baseten-1";
    incident.kind = IncidentKind::Outage;
    incident.key = "glm-5.2/baseten";
    incident.model = "glm-5.2";
    incident.provider = "baseten";
    incident.taskType = "search";
    incident.onsetMs = kNoonMs;
    incident.detectedMs = kNoonMs + 60'000;
    incident.peakMs = kNoonMs + 120'000;
    incident.count = 2;
    incident.parent = "credit-1";
    incident.divertedCalls = 17;
    incident.userFailures = 3;
    incident.extraCostMicroUsd = 4711;
    incident.events = {{kNoonMs, "onset", "5 of 9 failed"}, {kNoonMs + 60'000, "detected", ""}};
    return incident;
}

} // namespace

class TestLearned : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_store = openStore(m_path);
        m_lease = m_store->takeLease("summary", "agent-1", std::chrono::hours{1}).value().value();
    }

    void cleanup() { m_store.reset(); }

    void findsASummaryByItsIdAndTheNewest()
    {
        QVERIFY(!m_store->latestSummary({}).value());
        QVERIFY(m_store->insertSummary(summaryAt(kNoonMs, "b"), m_lease));
        QVERIFY(m_store->insertSummary(summaryAt(kNoonMs + 300'000, "a"), m_lease));
        QVERIFY(m_store->insertSummary(summaryAt(kNoonMs + 1, "b"), m_lease));
        QVERIFY(*m_store->latestSummary({}).value() == summaryAt(kNoonMs + 300'000, "a"));
        QVERIFY(!m_store->latestSummary("a").value());
        QVERIFY(*m_store->summary("b").value() == summaryAt(kNoonMs, "b"));
        QVERIFY(!m_store->summary("c").value());
        SummaryRow broken = summaryAt(kNoonMs, "d");
        broken.json = "{";
        QCOMPARE(m_store->insertSummary(broken, m_lease).error().code, std::string{"refused"});
    }

    void forgetsOldSummariesButNeverTheNewest()
    {
        for (const int i : {0, 1, 2}) {
            QVERIFY(m_store->insertSummary(summaryAt(kNoonMs + i, std::to_string(i)), m_lease));
        }
        QCOMPARE(m_store->pruneSummaries(kNoonMs + 1).value(), 1);
        QCOMPARE(m_store->pruneSummaries(kNoonMs + 1'000).value(), 1);
        QCOMPARE(m_store->latestSummary({}).value()->id, std::string{"2"});
    }

    /// A route that was ever used never starts slowly again, whatever is saved later.
    void keepsWhenARouteWasFirstSeen()
    {
        const std::array<GateStateRow, 2> first{{
            {"glm-5.2", "fireworks", kNoonMs, "g1"},
            {"glm-5.2", "baseten", kNoonMs + 5, "g1"},
        }};
        QVERIFY(m_store->saveGateStates(first, kNoonMs));
        const std::array<GateStateRow, 1> later{{{"glm-5.2", "fireworks", kNoonMs + 9, "g2"}}};
        QVERIFY(m_store->saveGateStates(later, kNoonMs + 9));
        const std::vector<GateStateRow> rows = m_store->gateStates().value();
        QCOMPARE(rows.size(), 2U);
        QVERIFY(rows[0] == first[1]);
        QVERIFY((rows[1] == GateStateRow{"glm-5.2", "fireworks", kNoonMs, "g2"}));
    }

    void returnsIncidentsWithTheirEvents()
    {
        Incident ended = sampleIncident();
        ended.id = "ended";
        ended.key = "glm-5.2/fireworks";
        ended.onsetMs -= 3'600'000;
        ended.endMs = kNoonMs - 1'800'000;
        const Incident open = sampleIncident();
        QVERIFY(m_store->saveIncidents(std::array{ended, open}, m_lease));
        const std::vector<Incident> all = m_store->incidents({}).value();
        QCOMPARE(all.size(), 2U);
        QVERIFY(all[0] == open);
        QVERIFY(all[1] == ended);
        QCOMPARE(found(std::nullopt, true), 1U);
        QCOMPARE(found(kNoonMs - 1'800'000, false), 2U);
        QCOMPARE(found(kNoonMs, false), 1U);
        QCOMPARE(m_store->incidents({}).value().front().id, open.id);
        QVERIFY(*m_store->incident("ended").value() == ended);
        QVERIFY(!m_store->incident("other").value());
    }

    void anIncidentChangesInPlace()
    {
        Incident incident = sampleIncident();
        QVERIFY(m_store->saveIncidents({&incident, 1}, m_lease));
        incident.endMs = kNoonMs + 600'000;
        incident.divertedCalls = 99;
        incident.events.push_back({kNoonMs + 600'000, "closed", ""});
        QVERIFY(m_store->saveIncidents({&incident, 1}, m_lease));
        QVERIFY(*m_store->incident(incident.id).value() == incident);
        QCOMPARE(m_store->incidents({}).value().size(), 1U);
    }

    /// Two of one kind and key must not be open at a time, whoever writes; nothing of the refused
    /// batch stays.
    void oneOfAKeyIsOpen()
    {
        QVERIFY(m_store->saveIncidents(std::array{sampleIncident()}, m_lease));
        Incident closed = sampleIncident();
        closed.id = "closed";
        closed.endMs = kNoonMs + 1;
        Incident second = sampleIncident();
        second.id = "second";
        const Status<> saved = m_store->saveIncidents(std::array{closed, second}, m_lease);
        QCOMPARE(saved.error().code, std::string{"refused"});
        QCOMPARE(m_store->incidents({}).value().size(), 1U);
    }

    void readsFactsFromWhereItStopped()
    {
        ingest({sampleRecord(1), sampleRecord(2)});
        const std::vector<FactRow> first = m_store->facts({}, 1).value();
        QCOMPARE(first.size(), 1U);
        ingest({sampleRecord(3), sampleRecord(2)});
        const std::vector<FactRow> rest = m_store->facts(first.front().at, 100).value();
        QCOMPARE(rest.size(), 2U);
        QCOMPARE(rest[0].fact.startedMs, kNoonMs + 2);
        QCOMPARE(rest[1].fact.startedMs, kNoonMs + 3);
        QVERIFY(m_store->facts(rest[1].at, 100).value().empty());
    }

    void aFactSaysWhatTheLedgerSays()
    {
        CallRecord bare;
        bare.requestId = "bare";
        bare.startedAt = kNoon;
        bare.taskId = "other";
        bare.outcome = Outcome::ConnectFailed;
        ingest({sampleRecord(0), bare});
        const std::vector<FactRow> rows = m_store->facts({}, 100).value();
        QCOMPARE(rows.size(), 2U);
        QCOMPARE(rows[0].model, std::string{"glm-5.2"});
        QCOMPARE(rows[0].taskType, std::string{"search"});
        QCOMPARE(rows[0].provider, std::string{"baseten"});
        const CallFact& full = rows[0].fact;
        QCOMPARE(full.startedMs, kNoonMs);
        QCOMPARE(full.endedMs, kNoonMs + 2640);
        QVERIFY(full.outcome == Outcome::Length);
        QVERIFY(full.explored && full.singleShot);
        QCOMPARE(full.ttftUs, 640'000);
        QCOMPARE(full.durationUs, 2'640'000);
        QCOMPARE(full.inputUncached, 1200);
        QCOMPARE(full.inputCached, 300);
        QCOMPARE(full.cacheWrite, 7);
        QCOMPARE(full.output, 150);
        QCOMPARE(full.costMicroUsd, 2265);
        QCOMPARE(full.milliTps, 74'500); // 149 tokens in 2 s
        const CallFact& none = rows[1].fact;
        QVERIFY(none.task != full.task);
        QCOMPARE(none.ttftUs, -1);
        QCOMPARE(none.inputUncached, -1);
        QCOMPARE(none.output, -1);
        QCOMPARE(none.costMicroUsd, -1);
        QCOMPARE(none.milliTps, -1);
    }

    void startsInTheMiddleOfTheHistory()
    {
        QVERIFY(m_store->rowBefore(kNoonMs).value() == FactCursor{});
        ingest({sampleRecord(0), sampleRecord(1000), sampleRecord(2000)});
        const FactCursor row = m_store->rowBefore(kNoonMs + 1000).value();
        QCOMPARE(m_store->facts(row, 100).value().size(), 2U);
        QVERIFY(m_store->facts(m_store->rowBefore(kNoonMs + 9000).value(), 100).value().empty());
    }

    void pagesThroughDecidedRequests()
    {
        CallRecord second = sampleRecord(2);
        second.decision.clear();
        ingest({sampleRecord(1), second, sampleRecord(3)});
        LedgerQuery query;
        query.filter.decided = true;
        query.limit = 1;
        const LedgerPage page = m_store->queryLedger(query).value();
        QCOMPARE(page.rows.front().requestId, std::string{"req-3"});
        query.after = page.next;
        QCOMPARE(m_store->queryLedger(query).value().rows.front().requestId, std::string{"req-1"});
    }

private:
    std::size_t found(std::optional<std::int64_t> sinceMs, bool openOnly)
    {
        return m_store->incidents({sinceMs, openOnly, 10}).value().size();
    }

    void ingest(const std::vector<CallRecord>& records)
    {
        QVERIFY(m_store->ingest(records, "agent-1", {1, 2, 3}));
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
    Lease m_lease;
};

QTEST_APPLESS_MAIN(TestLearned)
#include "tst_learned.moc"
