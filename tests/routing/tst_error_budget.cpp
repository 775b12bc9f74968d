// SPDX-License-Identifier: Apache-2.0
#include "common/routing/budget_book.h"
#include "tests/routing/chance.h"
#include "tests/routing/minute_feed.h"

#include <QTest>

#include <deque>

using namespace weir;
using namespace weir::routing;
using weir::routing::test::Chance;

/// Error budgets (routing.md section 13): what burns, when people are told, and when it is over.
class TestErrorBudget final : public QObject
{
    Q_OBJECT

private slots:
    void countsWhatTellsSomething_data();
    void countsWhatTellsSomething();
    void alertsByTheTable_data();
    void alertsByTheTable();
    void closesWhenItHasBeenCalm();
    void windowsAreSumsOfTheirMinutes();
    void budgetSpentIsAdditive();
    void nothingOpensWithoutAFailureInTheShortWindow();
    void moreFailuresNeverSilenceAnAlert();
    void aMonthIsForgotten();
    void raisesOneTroubleARoute();
    void historyIsWorthItsMinutes();
};

namespace {

SloCounts failing(std::int64_t total, std::int64_t bad)
{
    SloCounts counts;
    counts[static_cast<std::size_t>(Slo::Availability)] = {total, bad};
    return counts;
}

void repeat(ErrorBudget& budget, std::int64_t minutes, const SloCounts& counts)
{
    for (std::int64_t i = 0; i < minutes; ++i)
        budget.advance(counts);
}

/// The rules that stand: "page 1 h", "page 6 h", "ticket".
QString standing(const ErrorBudget& budget, Slo slo)
{
    QStringList all;
    for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule) {
        if (!budget.stands(slo, rule)) continue;
        all
            << (kBurnRules[rule].level == BurnLevel::Ticket
                    ? "ticket"
                    : "page " + QString::number(kBurnRules[rule].longMinutes / 60) + " h");
    }
    return all.join(", ");
}

/// Quiet stretches and bad ones, as they come.
SloCounts drawn(Chance& chance, std::int64_t worstPpm)
{
    SloCounts counts;
    for (SloCount& count : counts) {
        count.total = chance.below(200);
        for (std::int64_t i = 0; i < count.total; ++i)
            count.bad += chance.happens(worstPpm) ? 1 : 0;
    }
    return counts;
}

} // namespace

void TestErrorBudget::countsWhatTellsSomething_data()
{
    QTest::addColumn<int>("slo");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("bad");
    QTest::newRow("429s are no failures") << int(Slo::Availability) << 110LL << 10LL;
    QTest::newRow("429s of all it could answer") << int(Slo::RateLimit) << 140LL << 30LL;
    QTest::newRow("answers with a usual time") << int(Slo::Latency) << 80LL << 8LL;
}

void TestErrorBudget::countsWhatTellsSomething()
{
    QFETCH(const int, slo);
    QFETCH(const qint64, total);
    QFETCH(const qint64, bad);
    RouteMinute row = calls(100, 10, 30);
    row.neutral = 7;
    row.credit = 5;
    row.auth = 3;
    row.comparedCalls = 80;
    row.slowCalls = 8;
    const SloCount count = sloCountsOf(row)[static_cast<std::size_t>(slo)];
    QCOMPARE(count.total, total);
    QCOMPARE(count.bad, bad);
}

void TestErrorBudget::alertsByTheTable_data()
{
    QTest::addColumn<int>("slo");
    QTest::addColumn<int>("goodMinutes");
    QTest::addColumn<int>("badMinutes");
    QTest::addColumn<int>("total");
    QTest::addColumn<int>("bad");
    QTest::addColumn<QString>("stands");
    const int up = int(Slo::Availability);
    QTest::newRow("within the budget") << up << 0 << 600 << 1000 << 9 << "";
    QTest::newRow("at the budget") << up << 0 << 4320 << 100 << 1 << "ticket";
    QTest::newRow("a third fails from the start")
        << up << 60 << 30 << 10 << 3 << "page 1 h, page 6 h, ticket";
    QTest::newRow("the hour does not mind yet") << up << 360 << 5 << 100 << 30 << "";
    QTest::newRow("14.4 times in the hour") << up << 4260 << 60 << 1000 << 144 << "page 1 h";
    QTest::newRow("a little less") << up << 4260 << 60 << 1000 << 143 << "";
    QTest::newRow("6 times in six hours") << up << 0 << 360 << 100 << 6 << "page 6 h, ticket";
    QTest::newRow("fewer than 20 failures") << up << 0 << 60 << 10 << 0 << "";
    QTest::newRow("19 of 19") << up << 0 << 19 << 1 << 1 << "";
    QTest::newRow("20 failures of 99 calls") << up << 79 << 20 << 1 << 1 << "";
    QTest::newRow("20 failures of 100 calls") << up << 80 << 20 << 1 << 1 << "page 6 h, ticket";
    QTest::newRow("429s of 2 %") << int(Slo::RateLimit) << 0 << 60 << 1000 << 288
                                 << "page 1 h, page 6 h, ticket";
    QTest::newRow("late ones of 5 %")
        << int(Slo::Latency) << 0 << 60 << 1000 << 719 << "page 6 h, ticket";
    QTest::newRow("as fast as it can burn")
        << int(Slo::Latency) << 0 << 60 << 1000 << 720 << "page 1 h, page 6 h, ticket";
}

void TestErrorBudget::alertsByTheTable()
{
    QFETCH(const int, slo);
    QFETCH(const int, goodMinutes);
    QFETCH(const int, badMinutes);
    QFETCH(const int, total);
    QFETCH(const int, bad);
    QFETCH(const QString, stands);
    SloCounts counts;
    SloCount& count = counts[static_cast<std::size_t>(slo)];
    ErrorBudget budget;
    count = {total, 0};
    repeat(budget, goodMinutes, counts);
    count = {total, bad};
    repeat(budget, badMinutes, counts);
    QCOMPARE(standing(budget, static_cast<Slo>(slo)), stands);
}

void TestErrorBudget::closesWhenItHasBeenCalm()
{
    ErrorBudget budget;
    repeat(budget, 360, failing(1000, 0));
    repeat(budget, 60, failing(1000, 150));
    QVERIFY(budget.stands(Slo::Availability, 0));
    // Below the threshold, but not below half of it: it goes on for as long as that.
    repeat(budget, 60, failing(1000, 80));
    QVERIFY(budget.stands(Slo::Availability, 0));
    // The short window is below half from its fifth quiet minute on, and must be for ten.
    int minutes = 0;
    for (; budget.stands(Slo::Availability, 0) && minutes < 100; ++minutes)
        budget.advance(failing(1000, 0));
    QCOMPARE(minutes, 10);
    // A bad minute in between begins the wait anew.
    repeat(budget, 60, failing(1000, 200));
    QVERIFY(budget.stands(Slo::Availability, 0));
    repeat(budget, 9, failing(1000, 0));
    budget.advance(failing(1000, 500));
    repeat(budget, 9, failing(1000, 0));
    QVERIFY(budget.stands(Slo::Availability, 0));
}

void TestErrorBudget::windowsAreSumsOfTheirMinutes()
{
    Chance chance;
    ErrorBudget budget;
    std::deque<SloCounts> all;
    for (int minute = 0; minute < 5000; ++minute) {
        all.push_back(drawn(chance, 50'000));
        budget.advance(all.back());
        if (minute % 97 != 0 && minute < 4990) continue;
        for (const Slo slo : kSlos) {
            for (const std::int64_t length : kBurnWindows) {
                SloCount sum;
                const auto kept = std::min<std::size_t>(all.size(), std::size_t(length));
                for (std::size_t i = all.size() - kept; i < all.size(); ++i) {
                    sum.total += all[i][static_cast<std::size_t>(slo)].total;
                    sum.bad += all[i][static_cast<std::size_t>(slo)].bad;
                }
                QCOMPARE(budget.sum(slo, length), sum);
            }
        }
    }
}

void TestErrorBudget::budgetSpentIsAdditive()
{
    // A thousand calls a minute: a budget of 10 a minute. What was spent adds up over minutes, in
    // whatever order they come.
    Chance chance{7};
    std::int64_t bad = 0;
    ErrorBudget budget;
    constexpr std::int64_t kMinutes = 1000;
    for (std::int64_t i = 0; i < kMinutes; ++i) {
        const std::int64_t now = chance.below(12);
        bad += now;
        budget.advance(failing(1000, now));
    }
    const std::int64_t spentPpm = 1'000'000 - budget.leftPpm(Slo::Availability).value();
    QCOMPARE(spentPpm, bad * 1'000'000 / (10 * kMinutes));
    QVERIFY(!budget.leftPpm(Slo::Latency));
    repeat(budget, kMinutes, failing(1000, 1000));
    QVERIFY(budget.leftPpm(Slo::Availability).value() < 0);
}

void TestErrorBudget::nothingOpensWithoutAFailureInTheShortWindow()
{
    Chance chance{11};
    ErrorBudget budget;
    int opened = 0;
    for (int minute = 0; minute < 20'000; ++minute) {
        // Bad hours and quiet ones.
        const bool isBad = minute / 90 % 4 == 0;
        std::array<std::array<bool, kBurnRules.size()>, kSlos.size()> before{};
        for (const Slo slo : kSlos) {
            for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule)
                before[static_cast<std::size_t>(slo)][rule] = budget.stands(slo, rule);
        }
        budget.advance(drawn(chance, isBad ? chance.below(900'000) : 0));
        for (const Slo slo : kSlos) {
            for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule) {
                if (before[static_cast<std::size_t>(slo)][rule] || !budget.stands(slo, rule))
                    continue;
                ++opened;
                QVERIFY(budget.sum(slo, kBurnRules[rule].shortMinutes).bad > 0);
                QVERIFY(budget.sum(slo, kBurnRules[rule].longMinutes).bad >= 20);
                QVERIFY(budget.sum(slo, kBurnRules[rule].longMinutes).total >= 100);
            }
        }
    }
    QVERIFY2(opened > 20, std::to_string(opened).c_str());
}

void TestErrorBudget::moreFailuresNeverSilenceAnAlert()
{
    Chance chance{13};
    ErrorBudget some;
    ErrorBudget more;
    int stood = 0;
    for (int minute = 0; minute < 10'000; ++minute) {
        const bool isBad = minute / 50 % 3 == 0;
        SloCounts counts = drawn(chance, isBad ? chance.below(600'000) : 5'000);
        some.advance(counts);
        for (SloCount& count : counts)
            count.bad += chance.below(count.total - count.bad + 1) / 4;
        more.advance(counts);
        for (const Slo slo : kSlos) {
            for (const std::int64_t length : kBurnWindows)
                QVERIFY(more.burnMilli(slo, length) >= some.burnMilli(slo, length));
            for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule) {
                stood += some.stands(slo, rule) ? 1 : 0;
                QVERIFY(more.stands(slo, rule) || !some.stands(slo, rule));
            }
        }
    }
    QVERIFY(stood > 100);
}

void TestErrorBudget::aMonthIsForgotten()
{
    ErrorBudget budget;
    budget.addOlder(failing(1000, 1000));
    QCOMPARE(budget.leftPpm(Slo::Availability).value(), -99'000'000);
    repeat(budget, 28LL * 24 * 60 - 10, {});
    QVERIFY(!budget.isIdle());
    budget.advance({});
    QVERIFY(budget.isIdle());
    QCOMPARE(budget.burnMilli(Slo::Availability, 5), 0);
}

void TestErrorBudget::raisesOneTroubleARoute()
{
    BudgetBook book;
    std::vector<RaisedTrouble> raised;
    MinuteFacts facts;
    for (int minute = 0; minute < 60; ++minute) {
        facts = minuteOf(calls(70, 30, 50));
        RouteMinute sound = calls(100);
        sound.provider = "sound";
        facts.routes.push_back(sound);
        facts.startMs = kTen + minute * kMinuteMs;
        raised = book.advance(facts);
    }
    QCOMPARE(raised.size(), 1U);
    QCOMPARE(raised[0].kind, IncidentKind::BudgetBurn);
    QCOMPARE(raised[0].model + '/' + raised[0].provider, std::string("m/p"));
    QCOMPARE(
        raised[0].detail,
        std::string("availability burns x30.0 over 1 h, x30.0 over 5 min; nothing of 28 d left; "
                    "rate_limit burns x16.7 over 1 h, x16.7 over 5 min; nothing of 28 d left"));
    const std::vector<BudgetStatus> status = book.status();
    QCOMPARE(status.size(), 4U);
    QCOMPARE(status[0].level, BurnLevel::Page);
    // 20 failures are there in the first minute, but only 100 calls make it more than chance.
    QCOMPARE(status[0].sinceMs, kTen);
    QCOMPARE(status[2].provider, std::string("sound"));
    QCOMPARE(status[2].leftPpm.value(), 1'000'000);
    QCOMPARE(status[2].level, BurnLevel::None);
}

void TestErrorBudget::historyIsWorthItsMinutes()
{
    BudgetBook book;
    for (int step = 0; step < 6 * 24; ++step)
        book.addOlder({calls(1000)});
    MinuteFacts facts = minuteOf(calls(0, 36));
    facts.startMs = kTen;
    static_cast<void>(book.advance(facts));
    // 36 of 144,036 calls, of which 1,440.36 may fail.
    QCOMPARE(book.status()[0].leftPpm.value(), 975'007);
    QCOMPARE(book.status()[0].burnMilli.back(), 100'000);
}

QTEST_APPLESS_MAIN(TestErrorBudget)
#include "tst_error_budget.moc"
