// SPDX-License-Identifier: Apache-2.0
#include "common/routing/context_fit.h"
#include "common/routing/token_bound.h"

#include <QTest>

#include <string>
#include <vector>

using namespace weir;
using namespace weir::routing;

namespace {

/// One route of a table: a letter for how the prompt fits (Surely, Perhaps, No), and what is wrong
/// with it beside that: "region" keeps it out, "held" and "open" are its gate.
struct Row
{
    QString fits;
    QString states;
    /// Of those that stay a letter, '.' for the others.
    QString stay;
};

Fit fitFrom(QChar letter)
{
    return letter == 'S' ? Fit::Surely : letter == 'P' ? Fit::Perhaps : Fit::No;
}

} // namespace

class TestContextFit final : public QObject
{
    Q_OBJECT

private slots:
    void holdsThePromptAgainstTheWindow_data();
    void holdsThePromptAgainstTheWindow();
    void neverRefusesByItself_data();
    void neverRefusesByItself();
    void theWindowIsNeverExceededWhereTheBoundHolds();
};

void TestContextFit::holdsThePromptAgainstTheWindow_data()
{
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("estimate");
    QTest::addColumn<int>("answer");
    QTest::addColumn<int>("boundPercent");
    QTest::addColumn<int>("counted");
    QTest::addColumn<QString>("fit");
    const auto row = [](const char* name,
                        int window,
                        int estimate,
                        int answer,
                        int bound,
                        int counted,
                        const char* fit) {
        QTest::newRow(name) << window << estimate << answer << bound << counted << fit;
    };
    // 10,000 = 1.2 * estimate + answer (1024 where none is given) + 256.
    row("an unknown window", 0, 900'000, 32'000, 120, -1, "S");
    row("just fits", 10'000, 7267, -1, 120, -1, "S");
    row("by one too many", 10'000, 7268, -1, 120, -1, "P");
    row("a short answer leaves room", 10'000, 7303, 980, 120, -1, "S");
    row("a long one takes it", 10'000, 7266, 1026, 120, -1, "P");
    row("no more than the route can say", 10'000, 4700, 9000, 120, -1, "S");
    row("nonsense asks for nothing", 10'000, 8120, -5, 120, -1, "S");
    row("nothing learned: twice", 10'000, 4360, -1, 0, -1, "S");
    row("nothing learned: above twice", 10'000, 4361, -1, 0, -1, "P");
    row("no more than it surely has", 10'000, 15'000, -1, 120, -1, "P");
    row("more than fits by any count", 10'000, 15'002, -1, 120, -1, "N");
    row("the own tokenizer knows better", 10'000, 7267, -1, 120, 8000, "S");
    row("and worse", 10'000, 7266, -1, 120, 8721, "P");
    row("a small window keeps its greater part", 1000, 572, -1, 120, -1, "S");
}

void TestContextFit::holdsThePromptAgainstTheWindow()
{
    QFETCH(int, window);
    QFETCH(int, estimate);
    QFETCH(int, answer);
    QFETCH(int, boundPercent);
    QFETCH(int, counted);
    QFETCH(QString, fit);
    RouteConfig route;
    route.contextTokens = window;
    route.maxOutputTokens = 4096;
    PromptLength length{estimate * 2 / 3, estimate, std::nullopt};
    if (answer != -1) length.answerMax = answer;
    const TokenBound bound{boundPercent * 10'000LL, 0, 0, 0};
    const auto tokens = counted < 0 ? std::nullopt : std::optional<std::int64_t>{counted};
    QCOMPARE(
        static_cast<int>(fitOf(length, route, bound, tokens)), static_cast<int>(fitFrom(fit[0])));
}

void TestContextFit::neverRefusesByItself_data()
{
    QTest::addColumn<QString>("fits");
    QTest::addColumn<QString>("states");
    QTest::addColumn<QString>("stay");
    // States: '.' sound, 'r' out for its region, 'h' on hold, 'o' breaker open.
    const auto row = [](const char* fits, const char* states, const char* stay) {
        QTest::newRow((std::string(fits) + " " + states).c_str()) << fits << states << stay;
    };
    row("SS", "..", "SS");
    row("PS", "..", ".S");
    row("NS", "..", ".S");
    row("NP", "..", ".P");
    row("PP", "..", "PP");
    row("NN", "..", "NN");
    row("PSN", "...", ".S.");
    row("PS", ".r", "P.");
    row("NS", ".r", "N.");
    row("PS", ".h", "PS");
    row("PS", ".o", "PS");
    row("NPS", "..o", ".PS");
    row("NS", ".o", ".S");
    row("PS", "r.", ".S");
    row("S", "r", ".");
    row("N", ".", "N");
    row("", "", "");
}

void TestContextFit::neverRefusesByItself()
{
    QFETCH(QString, fits);
    QFETCH(QString, states);
    QFETCH(QString, stay);
    std::vector<RouteOption> routes;
    std::vector<Fit> each;
    for (int i = 0; i < fits.size(); ++i) {
        RouteOption option;
        if (states[i] == 'r') option.exclusion = Exclusion::Region;
        if (states[i] == 'h') option.gate.hold = HoldKind::Credit;
        if (states[i] == 'o') option.gate.breaker = BreakerState::Open;
        routes.push_back(option);
        each.push_back(fitFrom(fits[i]));
    }
    excludeTooSmall(routes, each);
    QString left;
    for (int i = 0; i < fits.size(); ++i) {
        const Exclusion exclusion = routes[static_cast<std::size_t>(i)].exclusion;
        left += exclusion == Exclusion::None ? fits[i] : QChar('.');
        if (states[i] == 'r') QCOMPARE(exclusion, Exclusion::Region);
        if (states[i] != 'r' && exclusion != Exclusion::None)
            QCOMPARE(exclusion, Exclusion::Context);
    }
    QCOMPARE(left, stay);
}

/// Whatever the numbers: what fits surely, fits with the answer even where each estimated token is
/// as many as the bound allows.
void TestContextFit::theWindowIsNeverExceededWhereTheBoundHolds()
{
    for (std::int64_t window = 500; window < 2'000'000; window = window * 5 / 3) {
        for (std::int64_t estimate = 1; estimate < 3'000'000; estimate = estimate * 7 / 4 + 1) {
            for (const std::int64_t bound : {0LL, 500'000LL, 1'337'000LL, 9'000'000LL}) {
                RouteConfig route;
                route.contextTokens = window;
                const PromptLength length{0, estimate, 300};
                if (fitOf(length, route, {bound, 0, 0, 0}) != Fit::Surely) continue;
                const double ppm = static_cast<double>(bound > 0 ? bound : kUnlearnedBoundPpm);
                const double tokens = static_cast<double>(estimate) * ppm / 1e6;
                QVERIFY(tokens + 300 <= static_cast<double>(window));
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestContextFit)
#include "tst_context_fit.moc"
