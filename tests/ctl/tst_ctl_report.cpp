// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/ledger_report.h"
#include "agent/store/sqlite_store.h"
#include "tests/ctl/run.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::ctl;

namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::minutes;

/// Ten minutes before now, so that all of it is in the last hour.
constexpr UtcTime kBegin = kNow - minutes{10};

CallRecord call(const std::string& id, int attempt, int level, Outcome outcome)
{
    CallRecord record;
    record.requestId = id;
    record.attempt = attempt;
    record.taskId = id;
    record.taskType = "support";
    record.model = "m";
    record.provider = level == 0 ? "first" : "second";
    record.route = record.provider + "/up@eu";
    record.startedAt = kBegin;
    record.outcome = outcome;
    record.level = level;
    record.last = true;
    if (isSuccess(outcome)) record.ttftMs = 1000;
    return record;
}

CallRecord unserved(const std::string& id, Unserved why, Priority priority)
{
    CallRecord record = call(id, 0, 4, Outcome::Ok);
    record.unserved = why;
    record.priority = priority;
    record.ttftMs.reset();
    return record;
}

} // namespace

/// `weirctl report`: what the ledger says of the requests, not of their attempts.
class TstCtlReport : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void aRequestStandsAtTheLevelOfItsLastAttempt();
    void countsWhatHadNoAttempt();
    void copiesAreNoRequests();
    void waitsAreCountedFromTheFirstAttempt();
    void countsRoutesOutsideTheRegions_data();
    void countsRoutesOutsideTheRegions();
    void asksForATimeAndATask();
    void printsForPeople();
    void refusesATimeThatEndsBeforeItBegins();

private:
    void ingest(const std::vector<CallRecord>& records);
    [[nodiscard]] Json report(std::vector<std::string> more = {}) const;

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::SqliteStore> m_store;
};

void TstCtlReport::init()
{
    m_store.reset();
    m_dir = std::make_unique<QTemporaryDir>();
    store::SqliteOptions options;
    options.path = m_dir->filePath("weir.db").toStdString();
    options.host = "here";
    options.now = kNow;
    auto opened = store::SqliteStore::open(options);
    if (!opened) qFatal("%s", opened.error().text().c_str());
    m_store = std::move(*opened);
}

void TstCtlReport::ingest(const std::vector<CallRecord>& records)
{
    const auto ingested = m_store->ingest(records, "agent", {});
    QVERIFY(ingested.has_value());
    QCOMPARE(ingested->inserted, static_cast<std::int64_t>(records.size()));
}

Json TstCtlReport::report(std::vector<std::string> more) const
{
    more.insert(more.begin(), {"report", "--json", "--data-dir", m_dir->path().toStdString()});
    const Ran ran = weirctl(more);
    if (ran.exit != 0) qFatal("%s", ran.err.c_str());
    return Json::parse(ran.out);
}

void TstCtlReport::aRequestStandsAtTheLevelOfItsLastAttempt()
{
    CallRecord first = call("moved", 1, 0, Outcome::ServerError);
    first.last = false;
    CallRecord lost = call("lost", 1, 1, Outcome::ServerError);
    ingest(
        {call("best", 1, 0, Outcome::Ok),
         first,
         call("moved", 2, 1, Outcome::Length),
         lost,
         call("own fault", 1, 0, Outcome::BadRequest)});
    const Json json = report();
    QCOMPARE(json["requests"].get<int>(), 4);
    QCOMPARE(json["levels"]["L0"]["requests"].get<int>(), 2);
    QCOMPARE(json["levels"]["L1"]["requests"].get<int>(), 1);
    QCOMPARE(json["levels"]["L4"]["requests"].get<int>(), 1);
    QCOMPARE(json["levels"]["L4"]["share"].get<double>(), 0.25);
    // One failure among four is this minute's mode.
    QCOMPARE(json["levels"]["L4"]["time_s"].get<int>(), 60);
    QCOMPARE(json["levels"]["L0"]["time_s"].get<int>(), 0);
    QCOMPARE(json["tasks"][0]["failures"].get<int>(), 1);
}

void TstCtlReport::countsWhatHadNoAttempt()
{
    ingest(
        {unserved("put off", Unserved::Shed, Priority::Batch),
         unserved("nowhere", Unserved::NoRoute, Priority::Interactive)});
    const Json json = report();
    QCOMPARE(json["requests"].get<int>(), 2);
    QCOMPARE(json["shed"].get<int>(), 1);
    QCOMPARE(json["levels"]["L4"]["requests"].get<int>(), 1);
    QCOMPARE(json["tasks"].size(), 2U);
    QCOMPARE(json["tasks"][0]["priority"].get<std::string>(), std::string("interactive"));
    QCOMPARE(json["tasks"][0]["failures"].get<int>(), 1);
    QCOMPARE(json["tasks"][1]["shed"].get<int>(), 1);
}

void TstCtlReport::copiesAreNoRequests()
{
    CallRecord mirror = call("copy", 1, 0, Outcome::Ok);
    mirror.flags = static_cast<std::uint16_t>(CallFlag::Mirror);
    CallRecord eval = call("exam", 1, 0, Outcome::ServerError);
    eval.flags = static_cast<std::uint16_t>(CallFlag::Eval);
    ingest({call("real", 1, 0, Outcome::Ok), mirror, eval});
    QCOMPARE(report()["requests"].get<int>(), 1);
}

void TstCtlReport::waitsAreCountedFromTheFirstAttempt()
{
    CallRecord first = call("slow", 1, 0, Outcome::TtftTimeout);
    first.last = false;
    CallRecord second = call("slow", 2, 1, Outcome::Ok);
    second.startedAt += milliseconds{4000};
    ingest({first, second});
    const Json json = report();
    const double seconds = json["levels"]["L1"]["ttft_s"]["p50"].get<double>();
    QVERIFY2(std::abs(seconds - 5.0) < 0.05, std::to_string(seconds).c_str());
}

void TstCtlReport::countsRoutesOutsideTheRegions_data()
{
    QTest::addColumn<QString>("route");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<bool>("isInside");
    QTest::newRow("nothing asked") << "a/up@us"
                                   << "" << true;
    QTest::newRow("the one region") << "a/up@eu"
                                    << "eu" << true;
    QTest::newRow("one of several") << "a/up@ch"
                                    << "eu, ch" << true;
    QTest::newRow("another region") << "a/up@us"
                                    << "eu,ch" << false;
    QTest::newRow("no region") << "a/up"
                               << "eu" << false;
    QTest::newRow("a longer name") << "a/up@eu-west"
                                   << "eu" << false;
    QTest::newRow("a version in the model") << "a/up@20240620@eu"
                                            << "eu" << true;
    QTest::newRow("a version alone") << "a/up@20240620"
                                     << "eu" << false;
}

void TstCtlReport::countsRoutesOutsideTheRegions()
{
    QFETCH(const QString, route);
    QFETCH(const QString, asked);
    QFETCH(const bool, isInside);
    QCOMPARE(isInRegion(route.toStdString(), asked.toStdString()), isInside);
    // Each attempt counts, whatever became of it.
    CallRecord first = call("r", 1, 0, Outcome::ServerError);
    first.last = false;
    first.route = route.toStdString();
    first.regionsAsked = asked.toStdString();
    CallRecord second = first;
    second.attempt = 2;
    second.last = true;
    ingest({first, second});
    QCOMPARE(report()["residency_violations"].get<int>(), isInside ? 0 : 2);
}

void TstCtlReport::asksForATimeAndATask()
{
    CallRecord other = call("other", 1, 0, Outcome::Ok);
    other.taskType = "search";
    CallRecord early = call("early", 1, 0, Outcome::Ok);
    early.startedAt = kBegin - minutes{60};
    // Began before the time asked for and ended in it: not in this report, but in the one before.
    CallRecord first = call("between", 1, 0, Outcome::ServerError);
    first.startedAt = kBegin - milliseconds{500};
    first.last = false;
    ingest(
        {call("one", 1, 0, Outcome::Ok), other, early, first, call("between", 2, 1, Outcome::Ok)});
    QCOMPARE(report()["requests"].get<int>(), 4);
    QCOMPARE(report({"--since", "1h"})["requests"].get<int>(), 3);
    QCOMPARE(report({"--task", "search"})["requests"].get<int>(), 1);
    QCOMPARE(report({"--from", toIso(kBegin)})["requests"].get<int>(), 2);
    const Json before = report({"--since", "1h", "--to", toIso(kBegin)});
    QCOMPARE(before["requests"].get<int>(), 1);
    QCOMPARE(before["levels"]["L1"]["requests"].get<int>(), 1);
}

void TstCtlReport::printsForPeople()
{
    ingest({call("one", 1, 0, Outcome::Ok), call("two", 1, 2, Outcome::Ok)});
    const Ran ran = weirctl({"report", "--data-dir", m_dir->path().toStdString()});
    QCOMPARE(ran.exit, 0);
    QVERIFY2(has(ran.out, "L2                   1    50.0 %    00:01:00"), ran.out.c_str());
    QVERIFY2(has(ran.out, "residency violations: 0"), ran.out.c_str());
}

void TstCtlReport::refusesATimeThatEndsBeforeItBegins()
{
    const Ran ran = weirctl(
        {"report", "--since", "1h", "--to", "2h", "--data-dir", m_dir->path().toStdString()});
    QCOMPARE(ran.exit, 2);
    QVERIFY2(has(ran.err, "--to: must be later than the beginning"), ran.err.c_str());
    QCOMPARE(weirctl({"report", "--from", "yesterday"}).exit, 2);
}

QTEST_GUILESS_MAIN(TstCtlReport)
#include "tst_ctl_report.moc"
