// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"
#include "common/model/call_record_json.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

using Change = std::function<void(CallRecord&)>;
const SpoolPosition kHere{1, 2, 3};

} // namespace

Q_DECLARE_METATYPE(Change)

class TestLedger : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_store = openStore(m_path);
    }

    void cleanup() { m_store.reset(); }

    void returnsEveryField()
    {
        CallRecord bare;
        bare.startedAt = kNoon;
        ingest({sampleRecord(1), bare});
        const LedgerPage page = m_store->queryLedger({}).value();
        QCOMPARE(page.rows.size(), 2U);
        QVERIFY(page.rows[0] == sampleRecord(1));
        QVERIFY(page.rows[1] == bare);
        QVERIFY(!page.next);
    }

    /// Who reads the table sees the names and values of the JSON form (a level is its number).
    void columnsAreNamedAsInJson()
    {
        ingest({sampleRecord(1)});
        ForeignClient shell(m_path);
        const nlohmann::ordered_json json = toJson(sampleRecord(1));
        for (const auto& [name, value] : json.items()) {
            QString expected =
                QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
            if (value.is_boolean()) expected = value.get<bool>() ? "1" : "0";
            if (name == "level") expected = "3";
            if (name == "started_at" && onPostgres()) expected = "2026-11-30 10:00:00.001+00";
            if (value.is_number_unsigned()) {
                expected = QString::number(static_cast<qint64>(value.get<std::uint64_t>()));
            }
            QCOMPARE(
                shell.rows(QString("SELECT %1 FROM call_ledger").arg(QString::fromStdString(name))),
                expected);
        }
        QCOMPARE(shell.rows("SELECT started_at_ms FROM call_ledger"), "1796032800001");
    }

    void insertsAKeyOnce()
    {
        CallRecord other = sampleRecord(1);
        other.attempt = 3;
        Ingested first = ingest({sampleRecord(1), other, sampleRecord(1)});
        QCOMPARE(first.inserted, 2);
        QCOMPARE(first.repeated, 1);
        CallRecord changed = sampleRecord(1);
        changed.provider = "somebody else";
        Ingested second = ingest({changed, sampleRecord(2)});
        QCOMPARE(second.inserted, 1);
        QCOMPARE(second.repeated, 1);
        QCOMPARE(m_store->queryLedger({}).value().rows.size(), 3U);
        ForeignClient shell(m_path);
        for (const char* table : {"route_10s", "route_minute", "route_10min"}) {
            QCOMPARE(
                shell.rows(QString("SELECT sum(calls), sum(n_length), sum(cost_micro_usd) FROM %1")
                               .arg(table)),
                "3|3|6795");
        }
    }

    /// It is no attempt: neither the ledger nor the history counts it.
    void keepsARequestWithoutAttemptApart()
    {
        CallRecord shed = sampleRecord(1);
        shed.attempt = 0;
        shed.unserved = Unserved::Shed;
        QCOMPARE(ingest({shed, shed, sampleRecord(2)}).inserted, 2);
        ForeignClient shell(m_path);
        QCOMPARE(shell.rows("SELECT count(*) FROM call_ledger"), "1");
        QCOMPARE(shell.rows("SELECT sum(calls) FROM route_10s"), "1");
        QCOMPARE(
            shell.rows("SELECT request_id, why, priority, caller, regions_asked, terms_asked "
                       "FROM unserved_request"),
            "req-1|shed|batch|TEAM_A_KEY|eu,ch|no_retention");
    }

    void aBadFieldHarmsOnlyItself_data()
    {
        QTest::addColumn<Change>("damage");
        QTest::addColumn<Change>("repair");
        const auto row = [](const char* name, Change damage, Change repair) {
            QTest::newRow(name) << damage << repair;
        };
        row(
            "nul",
            [](CallRecord& r) { r.taskId = std::string("a\0b", 3); },
            [](CallRecord& r) {
                r.taskId = "a\xEF\xBF\xBD"
                           "b";
            });
        row(
            "lone surrogate",
            [](CallRecord& r) { r.model = "m\xED\xA0\x80"; },
            [](CallRecord& r) { r.model = "m\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"; });
        row(
            "megabyte",
            [](CallRecord& r) { r.finishReason = std::string(1U << 20U, 'x'); },
            [](CallRecord& r) { r.finishReason = std::string(256, 'x'); });
        row(
            "quote",
            [](CallRecord& r) { r.provider = "a'; DROP TABLE call_ledger; --"; },
            [](CallRecord& r) { r.provider = "a'; DROP TABLE call_ledger; --"; });
        row(
            "negative tokens",
            [](CallRecord& r) { r.usage.output = -1; },
            [](CallRecord& r) { r.usage.output.reset(); });
        row(
            "absurd tokens",
            [](CallRecord& r) { r.usage.inputUncached = INT64_MAX; },
            [](CallRecord& r) { r.usage.inputUncached.reset(); });
        row(
            "absurd cost",
            [](CallRecord& r) { r.costMicroUsd = INT64_MAX; },
            [](CallRecord& r) { r.costMicroUsd.reset(); });
        row(
            "negative ttft",
            [](CallRecord& r) { r.ttftMs = -5; },
            [](CallRecord& r) { r.ttftMs.reset(); });
        row(
            "negative duration",
            [](CallRecord& r) { r.durationMs = -5; },
            [](CallRecord& r) { r.durationMs = 0; });
        row(
            "no such status",
            [](CallRecord& r) { r.httpStatus = 99999; },
            [](CallRecord& r) { r.httpStatus.reset(); });
        row(
            "level 9", [](CallRecord& r) { r.level = 9; }, [](CallRecord& r) { r.level = 4; });
        row(
            "attempt 0",
            [](CallRecord& r) { r.attempt = 0; },
            [](CallRecord& r) { r.attempt = 1; });
    }

    void aBadFieldHarmsOnlyItself()
    {
        QFETCH(Change, damage);
        QFETCH(Change, repair);
        CallRecord record = sampleRecord(2);
        damage(record);
        CallRecord expected = sampleRecord(2);
        repair(expected);
        const Ingested done = ingest({sampleRecord(1), record, sampleRecord(3)});
        QCOMPARE(done.inserted, 3);
        QCOMPARE(done.refused, 0);
        const LedgerPage page = m_store->queryLedger({}).value();
        QCOMPARE(page.rows.size(), 3U);
        QVERIFY(page.rows[1] == expected);
        QVERIFY(page.rows[2] == sampleRecord(1));
    }

    void pagesThroughRowsOfOneMillisecond()
    {
        std::vector<CallRecord> records;
        for (int i = 0; i < 7; ++i) {
            records.push_back(sampleRecord(i));
            records.back().startedAt = kNoon + std::chrono::milliseconds{i / 4};
            records.back().attempt = 1;
            records.push_back(records.back());
            records.back().attempt = 2;
        }
        ingest(records);
        QStringList seen;
        LedgerQuery query;
        query.limit = 3;
        for (int page = 0; page < 5; ++page) {
            const LedgerPage found = m_store->queryLedger(query).value();
            for (const CallRecord& row : found.rows) {
                seen << QString::fromStdString(row.requestId) + '#' + QString::number(row.attempt);
            }
            QCOMPARE(found.next.has_value(), page < 4);
            query.after = found.next;
            // A newer row must not shift the pages.
            ingest({sampleRecord(100 + page)});
        }
        QCOMPARE(
            seen.join(' '),
            "req-6#2 req-6#1 req-5#2 req-5#1 req-4#2 req-4#1 req-3#2 req-3#1 req-2#2 req-2#1 "
            "req-1#2 "
            "req-1#1 req-0#2 req-0#1");
    }

    void filters()
    {
        CallRecord other = sampleRecord(2);
        other.provider = "fireworks";
        other.taskId = "task-8";
        other.outcome = Outcome::RateLimited;
        ingest({sampleRecord(1), other, sampleRecord(3)});
        const auto count = [this](const std::function<void(LedgerFilter&)>& narrow) {
            LedgerQuery query;
            narrow(query.filter);
            return m_store->queryLedger(query).value().rows.size();
        };
        QCOMPARE(count([](LedgerFilter& f) { f.requestId = "req-2"; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.taskId = "task-7"; }), 2U);
        QCOMPARE(count([](LedgerFilter& f) { f.taskType = "search"; }), 3U);
        QCOMPARE(count([](LedgerFilter& f) { f.provider = "fireworks"; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.model = "glm-5.1"; }), 0U);
        QCOMPARE(count([](LedgerFilter& f) { f.outcome = Outcome::RateLimited; }), 1U);
        QCOMPARE(count([](LedgerFilter& f) { f.outcome = Outcome::Auth; }), 0U);
        const auto both = [](LedgerFilter& f) {
            f.provider = "baseten";
            f.from = kNoon + std::chrono::milliseconds{2};
        };
        QCOMPARE(count(both), 1U);
        const auto second = [](LedgerFilter& f) {
            f.from = kNoon + std::chrono::milliseconds{2};
            f.to = kNoon + std::chrono::milliseconds{3};
        };
        QCOMPARE(count(second), 1U);
    }

    void sumsByProviderExactly()
    {
        CallRecord unknown = sampleRecord(2);
        unknown.usage = {};
        unknown.costMicroUsd.reset();
        unknown.outcome = Outcome::Reset;
        CallRecord other = sampleRecord(3);
        other.provider = "azure";
        other.costMicroUsd = 1;
        ingest({sampleRecord(1), unknown, other});
        const std::vector<ProviderTotals> totals = m_store->totals({}).value();
        QCOMPARE(totals.size(), 2U);
        QCOMPARE(totals[0].provider, std::string{"azure"});
        QCOMPARE(totals[0].sums.costMicroUsd, 1);
        const CallSums& sums = totals[1].sums;
        QCOMPARE(sums.calls, 2);
        QCOMPARE(sums.outcomes[static_cast<std::size_t>(Outcome::Length)], 1);
        QCOMPARE(sums.outcomes[static_cast<std::size_t>(Outcome::Reset)], 1);
        QCOMPARE(sums.inputUncached, 1200);
        QCOMPARE(sums.inputCached, 300);
        QCOMPARE(sums.cacheWrite, 7);
        QCOMPARE(sums.output, 150);
        QCOMPARE(sums.reasoning, 40);
        QCOMPARE(sums.tokensUnknown, 1);
        QCOMPARE(sums.costMicroUsd, 2265);
        QCOMPARE(sums.costUnknown, 1);
    }

    void historyEqualsTheLedgerInEveryStep()
    {
        std::vector<CallRecord> records;
        for (int i = 0; i < 200; ++i) {
            records.push_back(sampleRecord(i));
            records.back().startedAt = kNoon + std::chrono::seconds{i * 7};
            records.back().provider = i % 3 == 0 ? "fireworks" : "baseten";
            records.back().ttftMs = 100 + i;
        }
        // Two batches, so that stored histograms are merged with new ones.
        ingest(std::vector<CallRecord>(records.begin(), records.begin() + 90));
        ingest(std::vector<CallRecord>(records.begin() + 90, records.end()));
        for (const int step : {10, 30, 60, 120, 600, 1200}) {
            CallSums sums;
            Histogram ttft;
            const HistoryQuery query{
                "glm-5.2", kNoon, kNoon + std::chrono::hours{1}, std::chrono::seconds{step}};
            const std::vector<HistoryPoint> points = m_store->history(query).value();
            for (const HistoryPoint& point : points) {
                QCOMPARE(epochMs(point.at) % (step * 1000), 0);
                sums.add(point.sums);
                ttft.merge(point.ttftUs);
            }
            HistoryBucket expected;
            for (const CallRecord& record : records)
                expected.add(record);
            QVERIFY(sums == expected.sums);
            QVERIFY(ttft == expected.ttftUs);
        }
        const HistoryQuery minute{
            "", kNoon, kNoon + std::chrono::seconds{60}, std::chrono::seconds{60}};
        const std::vector<HistoryPoint> first = m_store->history(minute).value();
        QCOMPARE(first.size(), 2U);
        QCOMPARE(first[0].provider, std::string{"baseten"});
        QCOMPARE(first[0].sums.calls, 6);
        QCOMPARE(first[1].sums.calls, 3);
        // 150 tokens, the first after about 0.1 s, the last at 2.64 s: 59 a second.
        const std::int64_t speed = first[0].milliTps.quantile(0.5).value();
        QVERIFY2(speed > 58'000 && speed < 60'000, qPrintable(QString::number(speed)));
    }

    void historyKeepsToItsBounds()
    {
        const auto code = [this](int stepS, int spanS) {
            const HistoryQuery query{
                "", kNoon, kNoon + std::chrono::seconds{spanS}, std::chrono::seconds{stepS}};
            const auto points = m_store->history(query);
            return points ? std::string{} : points.error().code;
        };
        QCOMPARE(code(15, 60), std::string{"bad_range"});
        QCOMPARE(code(0, 60), std::string{"bad_range"});
        QCOMPARE(code(10, 20'000), std::string{});
        QCOMPARE(code(10, 20'010), std::string{"bad_range"});
    }

    void brokenStreamsAndPlainAnswersSayNothingAboutSpeed()
    {
        HistoryBucket bucket;
        CallRecord broken = sampleRecord(1);
        broken.outcome = Outcome::StreamBroken;
        CallRecord plain = sampleRecord(2);
        plain.stream = false;
        CallRecord instant = sampleRecord(3);
        instant.durationMs = *instant.ttftMs;
        for (const CallRecord& record : {broken, plain, instant})
            bucket.add(record);
        QCOMPARE(bucket.sums.calls, 3);
        QCOMPARE(bucket.ttftUs.count(), 2U);
        QCOMPARE(bucket.milliTps.count(), 0U);
    }

    void keepsTheSpoolPositionWithTheRows()
    {
        QVERIFY(!m_store->spoolPosition("agent-1").value());
        ingest({sampleRecord(1)});
        QVERIFY(m_store->spoolPosition("agent-1").value() == kHere);
        QVERIFY(!m_store->spoolPosition("agent-2").value());
    }

    /// A disk that takes no more takes neither the rows nor the position, and goes on when it does.
    void aFullDiskTakesNothingOfABatch()
    {
        if (onPostgres()) QSKIP("its disk is not this process's to fill");
        ingest({sampleRecord(0)});
        std::vector<CallRecord> many;
        for (int i = 1; i < 3000; ++i)
            many.push_back(sampleRecord(i));
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const rlimit small{
            std::filesystem::file_size(m_path.string() + "-wal") + 8192, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const auto refused = m_store->ingest(many, "agent-1", {9, 9, 9});
        setrlimit(RLIMIT_FSIZE, &old);
        std::signal(SIGXFSZ, before);
        QVERIFY(!refused);
        QVERIFY(m_store->spoolPosition("agent-1").value() == kHere);
        QCOMPARE(m_store->queryLedger({}).value().rows.size(), 1U);
        QCOMPARE(ingest(many).inserted, 2999);
    }

private:
    Ingested ingest(const std::vector<CallRecord>& records)
    {
        const Result<Ingested> done = m_store->ingest(records, "agent-1", kHere);
        if (!done) qFatal("%s", done.error().text().c_str());
        return *done;
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestLedger)
#include "tst_ledger.moc"
