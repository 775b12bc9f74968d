// SPDX-License-Identifier: Apache-2.0
#include "common/routing/eligible.h"

#include <QTest>

#include <functional>

using namespace weir;
using namespace weir::routing;

namespace {

using Change = std::function<void(Demands&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestEligible final : public QObject
{
    Q_OBJECT

private slots:
    void namesTheRuleThatRemoves_data();
    void namesTheRuleThatRemoves();
    void anUnknownPriceExceedsEveryLimit();
};

void TestEligible::namesTheRuleThatRemoves_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<Exclusion>("exclusion");
    const auto row = [](const char* name, Exclusion exclusion, Change change) {
        QTest::newRow(name) << change << exclusion;
    };
    row("nothing asked", Exclusion::None, [](Demands&) {});
    row("has it", Exclusion::None, [](Demands& d) { d.capabilities = {"tools"}; });
    row("lacks it", Exclusion::Capability, [](Demands& d) {
        d.capabilities = {"tools", "images"};
    });
    row("one region of two", Exclusion::None, [](Demands& d) { d.regions = {"eu", "us"}; });
    row("elsewhere", Exclusion::Region, [](Demands& d) { d.regions = {"eu"}; });
    row("all terms needed", Exclusion::Terms, [](Demands& d) {
        d.terms = {"no_retention", "hipaa"};
    });
    row("one term of two is enough", Exclusion::None, [](Demands& d) {
        d.anyTerm = {"no_training", "no_retention"};
    });
    row("none of the terms", Exclusion::Terms, [](Demands& d) { d.anyTerm = {"no_training"}; });
    row("chosen", Exclusion::None, [](Demands& d) { d.only = {"x", "BaseTen"}; });
    row("chosen by variant", Exclusion::None, [](Demands& d) { d.only = {"baseten/fp8"}; });
    row("others chosen", Exclusion::Caller, [](Demands& d) { d.only = {"x"}; });
    row("ignored", Exclusion::Caller, [](Demands& d) { d.ignore = {"baseten"}; });
    row("long answer", Exclusion::None, [](Demands& d) { d.answerTokens = 4096; });
    row("too long an answer", Exclusion::Capability, [](Demands& d) { d.answerTokens = 4097; });
    row("input within the price", Exclusion::None, [](Demands& d) { d.maxInputPrice = 600'000; });
    row("input too dear", Exclusion::Price, [](Demands& d) { d.maxInputPrice = 599'999; });
    row("output within the price", Exclusion::None, [](Demands& d) {
        d.maxOutputPrice = 2'200'000;
    });
    row("output too dear", Exclusion::Price, [](Demands& d) { d.maxOutputPrice = 2'199'999; });
    row("region before terms", Exclusion::Region, [](Demands& d) {
        d.regions = {"eu"};
        d.terms = {"hipaa"};
    });
}

void TestEligible::namesTheRuleThatRemoves()
{
    QFETCH(Change, change);
    QFETCH(Exclusion, exclusion);
    RouteConfig route;
    route.provider = "baseten";
    route.region = "us";
    route.maxOutputTokens = 4096;
    route.contextTokens = 64'000;
    route.price = Price{.input = 600'000, .output = 2'200'000};
    route.capabilities = {"stream", "tools"};
    route.terms = {"no_retention"};
    Demands demands;
    change(demands);
    QCOMPARE(exclusionOf(route, true, true, demands), exclusion);
    QCOMPARE(exclusionOf(route, false, true, demands), Exclusion::Protocol);
    QCOMPARE(exclusionOf(route, false, false, demands), Exclusion::Disabled);
}

void TestEligible::anUnknownPriceExceedsEveryLimit()
{
    RouteConfig route;
    QCOMPARE(exclusionOf(route, true, true, {}), Exclusion::None);
    Demands demands;
    demands.maxInputPrice = 1'000'000'000;
    QCOMPARE(exclusionOf(route, true, true, demands), Exclusion::Price);
}

QTEST_APPLESS_MAIN(TestEligible)
#include "tst_eligible.moc"
