// SPDX-License-Identifier: Apache-2.0
#include "common/routing/explain.h"
#include "tests/routing/decision_text.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

namespace {

/// The whole answer as a person reads it.
QString told(const DecisionInput& input, std::optional<std::int64_t> estimate = std::nullopt)
{
    PoolSummary summary = pool(
        {figures("baseten", 2'310'000, 5'200'000),
         figures("fireworks", 2'600'000, 6'000'000),
         figures("coreweave", 1'200'000, 90'000'000),
         figures("tokyo", 900'000, 4'000'000)},
        "baseten");
    summary.routes[3].sampleOk = false;
    summary.routes[3].calls48h = 12;
    summary.routes[0].tokens = {1'250'000, 1'100'000, 812, 3};
    const std::vector<std::string> providers = {"baseten", "fireworks", "coreweave", "tokyo"};
    DecisionRecord record{"00ab", input, {}};
    record.decision = decide(PoolView(summary, providers), input);
    const Explanation explanation = explain(record, &summary, providers, estimate);
    QString text = QString::fromStdString(explanation.headline);
    for (const std::string& note : explanation.notes)
        text += QLatin1String("\n- ") + QString::fromStdString(note);
    for (const RouteAnswer& route : explanation.routes) {
        text += QStringLiteral("\n%1 %2 %3: %4")
                    .arg(route.place)
                    .arg(QString::fromStdString(route.provider))
                    .arg(QString::fromStdString(route.code))
                    .arg(QString::fromStdString(route.sentence));
    }
    return text;
}

} // namespace

class TestExplain final : public QObject
{
    Q_OBJECT

private slots:
    void whyTheLeader();
    void whyNotTheLeader();
    void howMuchTooLong();
    void scoresAreMadeOfParts();
    void everyCodeHasASentence();
};

void TestExplain::whyTheLeader()
{
    QCOMPARE(
        told(request(4)),
        "baseten (leader): leads; score 1.000: $0.002310 a task, 5.20 s an answer.\n"
        "- mode adaptive, settings v0, summary 00ab\n"
        "- planned shares baseten 100.0 %; drew 0.8490\n"
        "- chance of this first choice: 100.0 %\n"
        "1 baseten best: leads; score 1.000: $0.002310 a task, 5.20 s an answer\n"
        "2 fireworks failover: next in order; score 0.882: $0.002600 a task, 6.00 s an answer\n"
        "3 tokyo unproven: too few calls to be compared (12 of 30 in 48 h)\n"
        "4 coreweave slow3x: 90.00 s an answer is 17.3 times the fastest (5.20 s), more than the "
        "allowed 3.0");
}

void TestExplain::whyNotTheLeader()
{
    DecisionInput input = request(4);
    GateView& gate = input.routes[0].gate;
    gate.admitPpm = {0, 0, 0, 0};
    gate.permittedMilliRps = 11'200;
    gate.version = 812;
    input.routes[1].gate.hold = HoldKind::Credit;
    input.routes[1].gate.recoversInMs = 12'000;
    input.routes[2].exclusion = Exclusion::Region;
    const QString text = told(input);
    QVERIFY2(
        text.startsWith("tokyo (spill) and not baseten, the leader: over its rate of 11.20/s: "),
        qPrintable(text));
    QVERIFY2(
        text.contains("2 baseten over_rate: over its rate of 11.20/s: drew 0."), qPrintable(text));
    QVERIFY2(text.contains("against an admission of 0.0000 (gate v812)"), qPrintable(text));
    QVERIFY2(
        text.contains("3 fireworks hold_credit: on hold (credit) for another 12.00 s"),
        qPrintable(text));
    QVERIFY2(text.contains("0 coreweave ineligible: excluded by its region"), qPrintable(text));
}

void TestExplain::howMuchTooLong()
{
    DecisionInput input = request(4);
    input.routes[0].exclusion = input.routes[1].exclusion = Exclusion::Context;
    const QString text = told(input, 4001);
    QVERIFY2(
        text.contains("0 baseten ineligible: excluded by the length of the prompt: 4001 tokens as "
                      "estimated may be 5001 there, as 812 prompts have shown"),
        qPrintable(text));
    QVERIFY2(text.contains("may be 8002 there, of which too little is known"), qPrintable(text));
    const QString before = told(input);
    QVERIFY2(before.contains("excluded by the length of the prompt\n"), qPrintable(before));
}

void TestExplain::scoresAreMadeOfParts()
{
    const PoolSummary summary = pool(
        {figures("baseten", 2'310'000, 5'200'000), figures("fireworks", 2'600'000, 6'000'000)},
        "baseten");
    const std::vector<std::string> providers = {"baseten", "fireworks"};
    DecisionRecord record{"00ab", request(2), {}};
    record.decision = decide(PoolView(summary, providers), record.input);
    const Explanation explanation = explain(record, &summary, providers);
    QCOMPARE(explanation.routes[0].costPart, 700'000'000);
    QCOMPARE(explanation.routes[0].speedPart, 300'000'000);
    for (const RouteAnswer& route : explanation.routes)
        QCOMPARE(route.costPart + route.speedPart, route.score);
    // Without the summary nothing is known of them, and nothing is made up.
    QCOMPARE(explain(record, nullptr, providers).routes[0].costPart, 0);
}

void TestExplain::everyCodeHasASentence()
{
    for (int code = 0; code <= static_cast<int>(ReasonCode::Ineligible); ++code) {
        DecisionRecord record{"", request(1), {}};
        record.decision.candidates.push_back({0, static_cast<ReasonCode>(code), Reason::Leader});
        record.decision.codes.resize(1);
        record.decision.scores.resize(1);
        const std::vector<std::string> providers = {"only"};
        const Explanation explanation = explain(record, nullptr, providers);
        QVERIFY(!explanation.routes[0].sentence.empty());
    }
}

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
