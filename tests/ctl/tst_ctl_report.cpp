// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/ledger_report.h"
#include "agent/store/sqlite_store.h"
#include "tests/ctl/run.h"

#include <nlohmann/json.hpp>

#include <QFile>
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

/// `weirctl report` and `weirctl tasks`: what the ledger says of the requests, not of their
/// attempts.
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
    void checksTermsAgainstTheConfiguration();
    void asksForATimeAndATask();
    void printsForPeople();
    void refusesATimeThatEndsBeforeItBegins();
    void tellsEachTaskType();
    void comparesCostsWithTheTimeBefore();
    void printsTasksForPeople();

private:
    void ingest(const std::vector<CallRecord>& records);
    [[nodiscard]] Json run(std::vector<std::string> arguments) const;
    [[nodiscard]] Json report(std::vector<std::string> more = {}) const;

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::Database> m_store;
};

void TstCtlReport::init()
{
    m_store.reset();
    m_dir = std::make_unique<QTemporaryDir>();
    store::SqliteOptions options;
    options.path = m_dir->filePath("weir.db").toStdString();
    options.host = "here";
    options.now = kNow;
    auto opened = store::openSqlite(options);
    if (!opened) qFatal("%s", opened.error().text().c_str());
    m_store = std::move(*opened);
}

void TstCtlReport::ingest(const std::vector<CallRecord>& records)
{
    const auto ingested = m_store->ingest(records, "agent", {});
    QVERIFY(ingested.has_value());
    QCOMPARE(ingested->inserted, static_cast<std::int64_t>(records.size()));
}

Json TstCtlReport::run(std::vector<std::string> arguments) const
{
    arguments.insert(arguments.end(), {"--json", "--data-dir", m_dir->path().toStdString()});
    const Ran ran = weirctl(arguments);
    if (ran.exit != 0) qFatal("%s", ran.err.c_str());
    return Json::parse(ran.out);
}

Json TstCtlReport::report(std::vector<std::string> more) const
{
    more.insert(more.begin(), "report");
    return run(more);
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
    QCOMPARE(reports::isInRegion(route.toStdString(), asked.toStdString()), isInside);
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

void TstCtlReport::checksTermsAgainstTheConfiguration()
{
    std::vector<CallRecord> records;
    for (const char* provider : {"first", "second", "gone"}) {
        CallRecord record = call(provider, 1, 0, Outcome::Ok);
        record.provider = provider;
        record.route = record.provider + "/up@eu";
        record.termsAsked = "no_retention, no_training";
        records.push_back(record);
    }
    records.push_back(call("asked for nothing", 1, 1, Outcome::Ok));
    ingest(records);
    QVERIFY(report()["terms_violations"].is_null());
    const auto path = m_dir->filePath("weir.toml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::string text;
    for (const char* provider : {"first", "second"}) {
        const std::string name{provider};
        const std::string terms =
            name == "first" ? R"(["no_training", "no_retention"])" : R"(["no_retention"])";
        text += "[provider." + name + "]\nbase_url = \"https://a.example/v1\"\n";
        text += "api_key_env = \"UNSET_HERE\"\n[[model.m.route]]\nprovider = \"" + name;
        text += "\"\nupstream_model = \"up\"\nregion = \"eu\"\nterms = " + terms + "\n";
    }
    file.write(text.c_str());
    file.close();
    const Json json = report({"--config", path.toStdString()});
    QCOMPARE(json["terms_violations"].get<int>(), 1);
    QCOMPARE(json["terms_unknown"].get<int>(), 1);
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

void TstCtlReport::tellsEachTaskType()
{
    CallRecord failed = call("a", 1, 0, Outcome::ServerError);
    failed.last = false;
    CallRecord second = call("a", 2, 1, Outcome::Ok);
    second.startedAt += milliseconds{3000};
    CallRecord retried = call("b", 1, 0, Outcome::Reset);
    retried.last = false;
    CallRecord other = call("search", 1, 0, Outcome::BadRequest);
    other.taskType = "search";
    ingest(
        {failed,
         second,
         retried,
         call("b", 2, 0, Outcome::Ok),
         call("c", 1, 0, Outcome::Ok),
         other,
         unserved("put off", Unserved::Shed, Priority::Batch)});
    const Json tasks = run({"tasks"})["tasks"];
    QCOMPARE(tasks.size(), 2U);
    QVERIFY(tasks[0]["providers"]["first"]["success_rate"].is_null());
    const Json& support = tasks[1];
    QCOMPARE(support["task_type"].get<std::string>(), std::string("support"));
    QCOMPARE(support["tasks"].get<int>(), 3);
    QCOMPARE(support["calls"].get<int>(), 4);
    QCOMPARE(support["shed"].get<int>(), 1);
    // A second try on the same route is no failover; three of the calls had a route.
    QCOMPARE(support["failover_rate"].get<double>(), 1.0 / 3);
    QCOMPARE(support["providers"]["first"]["success_rate"].get<double>(), 0.5);
    QCOMPARE(support["providers"]["second"]["success_rate"].get<double>(), 1.0);
    QCOMPARE(support["levels"]["L1"].get<int>(), 1);
    const double slowest = support["ttft_s"]["p99"].get<double>();
    QVERIFY2(std::abs(slowest - 4.0) < 0.05, std::to_string(slowest).c_str());
    QVERIFY(std::abs(support["ttft_s"]["p50"].get<double>() - 1.0) < 0.01);
}

void TstCtlReport::comparesCostsWithTheTimeBefore()
{
    const auto costing = [](const std::string& id, std::int64_t micro, minutes before) {
        CallRecord record = call(id, 1, 0, Outcome::Ok);
        record.taskId = "task-" + id.substr(0, 1);
        record.costMicroUsd = micro;
        record.startedAt = kNow - before;
        return record;
    };
    // Two tasks of 30 in the last hour, one of 20 in the hour before it.
    ingest(
        {costing("a1", 20, minutes{5}),
         costing("a2", 10, minutes{50}),
         costing("b1", 30, minutes{59}),
         costing("c1", 15, minutes{61}),
         costing("c2", 5, minutes{119}),
         costing("d1", 1'000, minutes{121})});
    const Json hour = run({"tasks", "--since", "1h"})["tasks"][0];
    QCOMPARE(hour["tasks"].get<int>(), 2);
    QCOMPARE(hour["cost_per_task_usd"].get<double>(), 30e-6);
    QCOMPARE(hour["cost_per_task_before_usd"].get<double>(), 20e-6);
    QCOMPARE(hour["cost_change"].get<double>(), 0.5);
    const Json day = run({"tasks"})["tasks"][0];
    QCOMPARE(day["tasks"].get<int>(), 4);
    QVERIFY(day["cost_change"].is_null());
}

void TstCtlReport::printsTasksForPeople()
{
    const std::string dir = m_dir->path().toStdString();
    QCOMPARE(weirctl({"tasks", "--data-dir", dir}).out, std::string("No request in that time.\n"));
    ingest({call("one", 1, 0, Outcome::Ok), call("two", 1, 1, Outcome::ServerError)});
    const Ran ran = weirctl({"tasks", "--data-dir", dir});
    QVERIFY2(has(ran.out, "L0 50 %, L4 50 %  first 100 %, second 0 %"), ran.out.c_str());
    QCOMPARE(weirctl({"tasks", "--since", "0s", "--data-dir", dir}).exit, 2);
}

QTEST_GUILESS_MAIN(TstCtlReport)
#include "tst_ctl_report.moc"
