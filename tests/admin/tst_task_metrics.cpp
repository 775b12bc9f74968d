// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/status.h"
#include "agent/admin/task_metrics.h"
#include "common/model/status_json.h"
#include "tests/admin/prometheus.h"
#include "tests/admin/world.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::admin;

namespace {

/// One attempt of a request of task type "review", its start `ms` after the world's.
CallRecord
attempt(const std::string& id, int number, std::string_view provider, Outcome outcome, int ms = 0)
{
    CallRecord record = call(provider, outcome);
    record.requestId = id;
    record.attempt = number;
    record.startedAt += std::chrono::milliseconds{ms};
    record.level = number - 1;
    record.last = true;
    return record;
}

CallRecord failed(const std::string& id, int number, std::string_view provider)
{
    CallRecord record = attempt(id, number, provider, Outcome::ServerError);
    record.last = false;
    return record;
}

} // namespace

/// What `/metrics` and the status say of requests: levels, modes, failovers, task types, budgets.
class TestTaskMetrics final : public QObject
{
    Q_OBJECT

private slots:

    void init() { m_stats.emplace(at(0).instant); }

    void aRequestCountsOnce()
    {
        add(attempt("a", 1, "baseten", Outcome::Ok), 1);
        add(failed("b", 1, "baseten"), 1);
        add(attempt("b", 2, "fireworks", Outcome::Ok, 2000), 3);
        add(attempt("c", 1, "baseten", Outcome::ServerError), 4);
        add(attempt("d", 1, "baseten", Outcome::BadRequest), 4);
        QVERIFY(is("weir_level_requests_total", "level=L0,task_type=review", 2));
        QVERIFY(is("weir_level_requests_total", "level=L1,task_type=review", 1));
        QVERIFY(is("weir_level_requests_total", "level=L4,task_type=review", 1));
        QVERIFY(
            is("weir_task_requests_total", "outcome=ok,provider=fireworks,task_type=review", 1));
        QVERIFY(
            is("weir_task_requests_total",
               "outcome=server_error,provider=baseten,task_type=review",
               1));
        QVERIFY(
            is("weir_task_attempts_total",
               "outcome=server_error,provider=baseten,task_type=review",
               2));
        QVERIFY(is("weir_model_requests_total", "model=glm", 4));
        QVERIFY(is("weir_failovers_total", "model=glm", 1));
        QVERIFY(is("weir_task_cost_usd_total", "task_type=review", 2 * 0.000822));
        // 0.5 s at once, and 2.5 s over both attempts.
        QVERIFY(is("weir_task_ttft_seconds_sum", "task_type=review", 3));
        QVERIFY(is("weir_task_ttft_seconds_bucket", "le=2,task_type=review", 1));
        QVERIFY(is("weir_task_ttft_seconds_bucket", "le=3,task_type=review", 2));
    }

    void aRetryOrALostRaceIsNoFailover()
    {
        add(failed("retried", 1, "baseten"), 1);
        add(attempt("retried", 2, "baseten", Outcome::Ok), 1);
        CallRecord loser = attempt("raced", 1, "baseten", Outcome::ClientCancelled);
        loser.last = false;
        add(loser, 1);
        add(attempt("raced", 2, "fireworks", Outcome::Ok), 1);
        QVERIFY(is("weir_model_requests_total", "model=glm", 2));
        QVERIFY(is("weir_failovers_total", "model=glm", 0));
    }

    void aStepDownCountsForTheModelThatFailed()
    {
        add(failed("a", 1, "baseten"), 1);
        CallRecord lower = attempt("a", 2, "baseten", Outcome::Ok);
        lower.model = "small";
        add(lower, 1);
        QVERIFY(is("weir_failovers_total", "model=glm", 1));
        QVERIFY(!page().value("weir_model_requests_total", "model=small"));
    }

    void countsWhatHadNoAttempt()
    {
        for (const Unserved why : {Unserved::Shed, Unserved::Shed, Unserved::NoRoute}) {
            CallRecord record = attempt("x", 0, "", Outcome::Ok);
            record.unserved = why;
            record.costMicroUsd.reset();
            add(record, 1);
        }
        QVERIFY(is("weir_unserved_total", "task_type=review,why=shed", 2));
        QVERIFY(is("weir_unserved_total", "task_type=review,why=no_route", 1));
        QVERIFY(is("weir_level_requests_total", "level=L4,task_type=review", 1));
    }

    void copiesAreNoRequests()
    {
        for (const CallFlag flag : {CallFlag::Mirror, CallFlag::Eval}) {
            CallRecord record = attempt("copy", 1, "baseten", Outcome::Ok);
            record.flags = static_cast<std::uint16_t>(flag);
            add(record, 1);
        }
        QVERIFY(page().families.at("weir_level_requests_total").samples.empty());
    }

    void timeInEachMode()
    {
        // Minute 0 at L0, minute 1 with one in a hundred at L1, minute 2 without anybody.
        for (int i = 0; i < 200; ++i) {
            const bool isSecondMinute = i >= 100;
            const int level1 = i == 100 ? 2 : 1;
            add(attempt("a", level1, "baseten", Outcome::Ok), isSecondMinute ? 70 : 10);
        }
        CallRecord batch = attempt("c", 1, "baseten", Outcome::ServerError);
        batch.priority = Priority::Batch;
        add(batch, 80);
        QVERIFY(is("weir_level_seconds_total", "level=L0", 60, 119));
        QVERIFY(is("weir_level_seconds_total", "level=L1", 0, 119));
        QVERIFY(is("weir_level_seconds_total", "level=L1", 60, 120));
        QVERIFY(is("weir_level_seconds_total", "level=L1", 60, 200));
        add(attempt("d", 1, "baseten", Outcome::Ok), 200);
        QVERIFY(is("weir_level_seconds_total", "level=L0", 60, 239));
        QVERIFY(is("weir_level_seconds_total", "level=L0", 120, 240));
        QVERIFY(is("weir_level_seconds_total", "level=L4", 0, 240));
    }

    void theStatusTellsShares()
    {
        for (int i = 0; i < 3; ++i)
            add(attempt("a", 1, "baseten", Outcome::Ok), 5);
        add(attempt("b", 2, "baseten", Outcome::Ok), 100);
        CallRecord shed = attempt("c", 0, "", Outcome::Ok);
        shed.unserved = Unserved::Shed;
        add(shed, 100);
        const AgentStatus status = buildStatus(m_world.sources(), *m_stats, at(110));
        const auto json = toJson(status)["levels"];
        QCOMPARE(json["last_minute"]["requests"].get<int>(), 2);
        QCOMPARE(json["last_minute"]["shed"].get<int>(), 1);
        QCOMPARE(json["last_minute"]["L1"]["share"].get<double>(), 0.5);
        QCOMPARE(json["last_hour"]["requests"].get<int>(), 5);
        QCOMPARE(json["last_hour"]["L0"]["share"].get<double>(), 0.6);
        QVERIFY(statusFromJson(toJson(status).dump()).value().levels == status.levels);
        QCOMPARE(m_stats->levels(at(3690).instant).lastHour.requests, 2);
        QCOMPARE(m_stats->levels(at(3800).instant).lastHour.requests, 0);
    }

    void callersCannotMakeLabelsWithoutEnd()
    {
        for (int i = 0; i < 1000; ++i) {
            CallRecord record = attempt("r", 1, "baseten", Outcome::Ok);
            record.taskType = "type-" + std::to_string(i);
            add(record, 1);
        }
        QCOMPARE(page().families.at("weir_level_requests_total").samples.size(), 101U);
        QVERIFY(is("weir_level_requests_total", "level=L0,task_type=other", 900));
        QVERIFY(is("weir_level_requests_total", "level=L0,task_type=type-7", 1));
    }

    void tellsErrorBudgets()
    {
        routing::BudgetStatus budget;
        budget.model = "glm";
        budget.provider = "baseten";
        budget.slo = routing::Slo::RateLimit;
        budget.burnMilli = {20'000, 6'500, 15'250, 1'000, 0};
        budget.leftPpm = 712'000;
        budget.level = routing::BurnLevel::Page;
        budget.sinceMs = epochMs(at(5).utc);
        budget.text = "rate_limit burns";
        routing::BudgetStatus ticket = budget;
        ticket.provider = "fireworks";
        ticket.level = routing::BurnLevel::Ticket;
        m_world.budgets = {budget, ticket};
        QVERIFY(
            is("weir_error_budget_burn",
               "model=glm,provider=baseten,slo=rate_limit,window=1h",
               15.25));
        QVERIFY(
            is("weir_error_budget_burn", "model=glm,provider=baseten,slo=rate_limit,window=3d", 0));
        QVERIFY(is("weir_error_budget_left", "model=glm,provider=baseten,slo=rate_limit", 0.712));
        const AgentStatus status = buildStatus(m_world.sources(), *m_stats, at(60));
        QCOMPARE(status.alerts.size(), 1U);
        QCOMPARE(status.alerts[0].kind, std::string("budget_burn"));
        QCOMPARE(status.alerts[0].route, std::string("baseten/zai/GLM@us"));
        QCOMPARE(status.alerts[0].since, at(5).utc);
        QCOMPARE(status.alerts[0].text, std::string("rate_limit burns"));
        m_world.budgets.clear();
    }

private:
    void add(const CallRecord& record, double seconds)
    {
        m_stats->add(std::span(&record, 1), at(seconds).instant);
    }

    [[nodiscard]] MetricsPage page(double seconds = 30) const
    {
        const std::string text =
            taskMetricsText(m_stats->requests(at(seconds).instant), m_world.budgets);
        MetricsPage parsed = MetricsPage::parse(text);
        if (!parsed.error.empty()) qFatal("%s", parsed.error.c_str());
        return parsed;
    }

    [[nodiscard]] bool
    is(const char* name, const char* labels, double value, double seconds = 30) const
    {
        const auto found = page(seconds).value(name, labels);
        if (!found) qWarning("no %s{%s}", name, labels);
        if (found && std::abs(*found - value) > 1e-9) qWarning("%s is %g", name, *found);
        return found && std::abs(*found - value) <= 1e-9;
    }

    World m_world;
    std::optional<LiveStats> m_stats;
};

QTEST_APPLESS_MAIN(TestTaskMetrics)
#include "tst_task_metrics.moc"
