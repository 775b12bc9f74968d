// SPDX-License-Identifier: Apache-2.0
#include "common/routing/eligible.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

class TestEligible final : public QObject
{
    Q_OBJECT

private slots:
    void namesTheRuleThatRemoves_data();
    void namesTheRuleThatRemoves();
};

void TestEligible::namesTheRuleThatRemoves_data()
{
    QTest::addColumn<Demands>("demands");
    QTest::addColumn<bool>("enabled");
    QTest::addColumn<Exclusion>("exclusion");
    QTest::newRow("nothing asked") << Demands{} << true << Exclusion::None;
    QTest::newRow("switched off") << Demands{} << false << Exclusion::Disabled;
    QTest::newRow("other protocol")
        << Demands{Protocol::Anthropic, {}, {}, {}} << true << Exclusion::Protocol;
    QTest::newRow("has it") << Demands{Protocol::OpenAi, {"tools"}, {}, {}} << true
                            << Exclusion::None;
    QTest::newRow("lacks it") << Demands{Protocol::OpenAi, {"tools", "images"}, {}, {}} << true
                              << Exclusion::Capability;
    QTest::newRow("one region of two")
        << Demands{Protocol::OpenAi, {}, {"eu", "us"}, {}} << true << Exclusion::None;
    QTest::newRow("elsewhere") << Demands{Protocol::OpenAi, {}, {"eu"}, {}} << true
                               << Exclusion::Region;
    QTest::newRow("all terms needed")
        << Demands{Protocol::OpenAi, {}, {}, {"no_retention", "hipaa"}} << true << Exclusion::Terms;
    QTest::newRow("region before terms")
        << Demands{Protocol::OpenAi, {}, {"eu"}, {"hipaa"}} << true << Exclusion::Region;
}

void TestEligible::namesTheRuleThatRemoves()
{
    QFETCH(Demands, demands);
    QFETCH(bool, enabled);
    QFETCH(Exclusion, exclusion);
    RouteConfig route;
    route.region = "us";
    route.capabilities = {"stream", "tools"};
    route.terms = {"no_retention"};
    QCOMPARE(exclusionOf(route, Protocol::OpenAi, enabled, demands), exclusion);
}

QTEST_APPLESS_MAIN(TestEligible)
#include "tst_eligible.moc"
