// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/metrics.h"
#include "agent/admin/status.h"
#include "tests/admin/prometheus.h"
#include "tests/admin/world.h"

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestMetrics final : public QObject
{
    Q_OBJECT

private slots:
    void theReaderIsStrict_data();
    void theReaderIsStrict();
    void freshAgent();
    void figures();
    void countersNeverFall();
    void labelsAreEscaped();
    void drillsThatRun();
    void aFleetsRedis();
};

namespace {

void add(LiveStats& stats, const CallRecord& record, double seconds)
{
    stats.add(std::span(&record, 1), at(seconds).instant);
}

MetricsPage pageOf(World& world, const LiveStats& stats, double seconds)
{
    const AgentStatus status = buildStatus(world.sources(), stats, at(seconds));
    return MetricsPage::parse(
        metricsText(status, stats.totals(), world.routes, world.ledger.lostRows));
}

} // namespace

void TestMetrics::theReaderIsStrict_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");

    const QString head = "# HELP a_total x\n# TYPE a_total counter\n";
    QTest::newRow("a counter") << head + "a_total{b=\"c\\\\\\\"\\n\"} 1\n" << true;
    QTest::newRow("no TYPE") << "# HELP a_total x\na_total 1\n" << false;
    QTest::newRow("no HELP") << "a_total 1\n" << false;
    QTest::newRow("no end of line") << head + "a_total 1" << false;
    QTest::newRow("twice") << head + "a_total 1\na_total 1\n" << false;
    QTest::newRow("raw quote") << head + "a_total{b=\"c\"d\"} 1\n" << false;
    QTest::newRow("unknown escape") << head + "a_total{b=\"\\t\"} 1\n" << false;
    QTest::newRow("dotted label") << head + "a_total{gen_ai.x=\"c\"} 1\n" << false;
    QTest::newRow("negative") << head + "a_total -1\n" << false;
    QTest::newRow("junk value") << head + "a_total 1x\n" << false;
    QTest::newRow("falling buckets")
        << "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\n"
           "h_sum 1\nh_count 1\n"
        << false;
    QTest::newRow("no +Inf")
        << "# HELP h x\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n"
        << false;
}

void TestMetrics::theReaderIsStrict()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    const MetricsPage page = MetricsPage::parse(text.toStdString());
    QCOMPARE(page.error.empty(), good);
}

void TestMetrics::freshAgent()
{
    World world;
    const LiveStats stats(at(0).instant);
    const MetricsPage page = pageOf(world, stats, 0);
    QCOMPARE(page.error, std::string());
    QVERIFY(page.families.at("weir_attempts_total").samples.empty());
    // No traffic has no share.
    QVERIFY(page.families.at("weir_share").samples.empty());
    QVERIFY(page.families.at("weir_alert").samples.empty());
    QCOMPARE(page.value("weir_mode", "mode=fixed"), std::optional<double>(1.0));
    QCOMPARE(page.value("weir_mode", "mode=adaptive"), std::optional<double>(0.0));
    for (const char* later :
         {"weir_score", "weir_permitted_rps", "weir_breaker_state", "weir_token_bound_ratio"}) {
        QVERIFY(page.families.at(later).samples.empty());
    }
}

void TestMetrics::figures()
{
    World world;
    world.ledger = {17, 4096, 2};
    world.routes = {{"glm", "fireworks", 5, {}, ""}};
    world.routes[0].waiting = 2;
    FailoverStatus failover;
    failover.provider = "baseten";
    failover.ratio = 2.7;
    world.failover = std::make_shared<FailoverReport>();
    world.failover->emplace("glm", std::vector{failover});
    LiveStats stats(at(0).instant);
    add(stats, call("fireworks", Outcome::Auth), 1);
    CallRecord second = call("baseten");
    second.attempt = 2;
    add(stats, second, 1);
    const MetricsPage page = pageOf(world, stats, 2);
    QCOMPARE(page.error, std::string());

    const auto is = [&page](const char* name, const char* labels, double value) {
        const auto found = page.value(name, labels);
        if (!found) qWarning("no %s{%s}", name, labels);
        return found == std::optional<double>(value);
    };
    QVERIFY(is("weir_attempts_total", "model=glm,outcome=auth,provider=fireworks", 1));
    QVERIFY(is("weir_requests_total", "model=glm,outcome=ok,provider=baseten", 1));
    QVERIFY(!page.value("weir_requests_total", "model=glm,outcome=auth,provider=fireworks"));
    QVERIFY(is("weir_ttft_seconds_bucket", "le=0.25,model=glm,provider=baseten", 0));
    QVERIFY(is("weir_ttft_seconds_bucket", "le=0.5,model=glm,provider=baseten", 1));
    QVERIFY(is("weir_ttft_seconds_sum", "model=glm,provider=baseten", 0.5));
    QVERIFY(is("weir_cost_usd_total", "model=glm,provider=baseten", 0.000822));
    QVERIFY(is("weir_share", "model=glm,provider=baseten", 0.5));
    QVERIFY(is("weir_in_flight", "model=glm,provider=fireworks", 5));
    QVERIFY(is("weir_waiting", "model=glm,provider=fireworks", 2));
    QVERIFY(is("weir_failover_capacity_ratio", "model=glm,provider=baseten", 2.7));
    QVERIFY(!page.value("weir_failover_capacity_ratio", "model=glm,provider=fireworks"));
    QVERIFY(is("weir_ledger_backlog_rows", "", 17));
    QVERIFY(is("weir_ledger_lost_rows_total", "", 2));
    QVERIFY(is("weir_client_connections", "", 4));
    QVERIFY(is("weir_alert", "kind=auth,route=fireworks/zai/GLM@us", 1));
    const std::string genAi =
        "gen_ai_operation_name=chat,gen_ai_provider_name=baseten,gen_ai_request_model=glm";
    QVERIFY(is("gen_ai_client_operation_duration_seconds_sum", genAi.c_str(), 1));
    const std::string output = genAi + ",gen_ai_token_type=output";
    QVERIFY(is("gen_ai_client_token_usage_sum", output.c_str(), 101));
    const std::string failed =
        "error_type=auth,gen_ai_operation_name=chat,gen_ai_provider_name=fireworks,"
        "gen_ai_request_model=glm";
    QVERIFY(is("gen_ai_client_operation_duration_seconds_count", failed.c_str(), 1));
}

void TestMetrics::countersNeverFall()
{
    World world;
    LiveStats stats(at(0).instant);
    std::map<std::pair<std::string, std::map<std::string, std::string>>, double> before;
    for (int i = 0; i < 24; ++i) {
        const int second = i * 7;
        const auto outcome = static_cast<Outcome>(i % static_cast<int>(kOutcomeCount));
        add(stats, call(i % 3 == 0 ? "baseten" : "fireworks", outcome), second);
        if (i == 12) world.config->models.clear();
        const MetricsPage page = pageOf(world, stats, second);
        QCOMPARE(page.error, std::string());
        std::size_t series = 0;
        for (const auto& [name, family] : page.families) {
            if (family.type == "gauge") continue;
            for (const MetricSample& sample : family.samples) {
                double& last = before[{sample.name, sample.labels}];
                QVERIFY(sample.value >= last);
                last = sample.value;
                ++series;
            }
        }
        // None disappears either, not even with its model.
        QCOMPARE(series, before.size());
    }
}

void TestMetrics::labelsAreEscaped()
{
    World world;
    LiveStats stats(at(0).instant);
    CallRecord odd = call("baseten");
    odd.model = "a\"b\\c\nd";
    add(stats, odd, 0);
    const MetricsPage page = pageOf(world, stats, 0);
    QCOMPARE(page.error, std::string());
    QVERIFY(page.value("weir_attempts_total", "model=a\"b\\c\nd,outcome=ok,provider=baseten"));
}

void TestMetrics::drillsThatRun()
{
    World world;
    const LiveStats stats(at(0).instant);
    const auto text = [&] {
        const AgentStatus status = buildStatus(world.sources(), stats, at(1));
        return QString::fromStdString(metricsText(status, stats.totals(), {}, 0));
    };
    QVERIFY(!text().contains("weir_drill{"));
    DrillStatus drill;
    drill.drill.model = "glm";
    drill.drill.provider = "baseten";
    drill.drill.kind = DrillKind::RateLimit;
    world.drills = {drill};
    QVERIFY(text().contains(
        "\nweir_drill{model=\"glm\",provider=\"baseten\",kind=\"rate_limit\"} 1\n"));
    static_cast<void>(pageOf(world, stats, 1));
}

void TestMetrics::aFleetsRedis()
{
    World world;
    const LiveStats stats(at(0).instant);
    AgentStatus status = buildStatus(world.sources(), stats, at(1));
    const auto text = [&] {
        return QString::fromStdString(metricsText(status, stats.totals(), {}, 0));
    };
    // Who shares with nobody has none to tell of.
    QVERIFY(!text().contains("redis"));
    status.redis = "ok";
    QVERIFY(text().contains("\nweir_redis_up 1\n"));
    QVERIFY(text().contains("\nweir_gates_local 0\n"));
    status.redis = "down";
    status.gatesLocal = true;
    QVERIFY(text().contains("\nweir_redis_up 0\n"));
    QVERIFY(text().contains("\nweir_gates_local 1\n"));
}

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
