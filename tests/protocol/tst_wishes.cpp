// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/request.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

Result<RequestFacts, ApiError> read(const std::string& member)
{
    const Padded body{R"({"model":"m","messages":[],)" + member + "}"};
    return readRequest(Api::ChatCompletions, body.view());
}

RoutingWishes wishesOf(const std::string& member)
{
    const auto facts = read(member);
    if (!facts) qFatal("%s", facts.error().message.c_str());
    return facts->wishes;
}

using Names = std::vector<std::string>;

} // namespace

class TestWishes : public QObject
{
    Q_OBJECT

private slots:

    void readsAllFields()
    {
        const RoutingWishes wishes = wishesOf(
            R"("provider":{"order":["b","a"],"only":["a","b"],"ignore":["c"],"allow_fallbacks":false,
            "require_parameters":true,"data_collection":"deny","zdr":true,"sort":"throughput",
            "max_price":{"prompt":0.6,"completion":"2.20","request":0.001},
            "preferred_min_throughput":40,"preferred_max_latency":1.5},"models":["x","y"])");
        QCOMPARE(wishes.order, (Names{"b", "a"}));
        QCOMPARE(wishes.only, (Names{"a", "b"}));
        QCOMPARE(wishes.ignore, Names{"c"});
        QVERIFY(!wishes.allowFallbacks);
        QVERIFY(wishes.requireParameters);
        QVERIFY(wishes.denyDataCollection);
        QVERIFY(wishes.zeroRetention);
        QVERIFY(wishes.sort == SortWish::Throughput);
        QCOMPARE(wishes.maxInputPrice.value(), 600'000);
        QCOMPARE(wishes.maxOutputPrice.value(), 2'200'000);
        QCOMPARE(wishes.minTokensPerS.value(), 40.0);
        QCOMPARE(wishes.maxLatencyS.value(), 1.5);
        QCOMPARE(wishes.models, (Names{"x", "y"}));
    }

    void nothingWishedIsNothingRead()
    {
        QVERIFY(wishesOf(R"("n":1)") == RoutingWishes{});
        QVERIFY(wishesOf(R"("provider":null,"models":null)") == RoutingWishes{});
        QVERIFY(wishesOf(R"("provider":{},"models":[])") == RoutingWishes{});
        QVERIFY(wishesOf(R"("provider":{"order":null,"sort":null})") == RoutingWishes{});
    }

    void readsSortInBothForms()
    {
        QVERIFY(wishesOf(R"("provider":{"sort":"price"})").sort == SortWish::Price);
        QVERIFY(
            wishesOf(R"("provider":{"sort":{"by":"latency","partition":"none"}})").sort ==
            SortWish::Latency);
    }

    void readsPercentilesByTheLowest()
    {
        const auto latency = [](const std::string& value) {
            return wishesOf(R"("provider":{"preferred_max_latency":)" + value + "}").maxLatencyS;
        };
        QCOMPARE(latency(R"({"p90":3,"p50":1})"), std::optional{1.0});
        QCOMPARE(latency(R"({"p99":9,"p90":3})"), std::optional{3.0});
        QCOMPARE(latency(R"({"p50":null,"p75":2})"), std::optional{2.0});
        QCOMPARE(latency("{}"), std::optional<double>{});
    }

    void refusesAndNamesTheField_data()
    {
        QTest::addColumn<QString>("member");
        QTest::addColumn<QString>("param");
        const auto row = [](const char* member, const char* param) {
            QTest::newRow(member) << QString(member) << QString(param);
        };
        row(R"("provider":"baseten")", "provider");
        row(R"("provider":["baseten"])", "provider");
        row(R"("provider":{"order":"a"})", "provider.order");
        row(R"("provider":{"order":["a",1]})", "provider.order");
        row(R"("provider":{"only":[""]})", "provider.only");
        row(R"("provider":{"ignore":{}})", "provider.ignore");
        row(R"("provider":{"allow_fallbacks":"no"})", "provider.allow_fallbacks");
        row(R"("provider":{"require_parameters":1})", "provider.require_parameters");
        row(R"("provider":{"data_collection":"maybe"})", "provider.data_collection");
        row(R"("provider":{"zdr":"true"})", "provider.zdr");
        row(R"("provider":{"sort":"cheapest"})", "provider.sort");
        row(R"("provider":{"sort":{}})", "provider.sort.by");
        row(R"("provider":{"sort":{"by":"price","x":1}})", "provider.sort.x");
        row(R"("provider":{"max_price":1})", "provider.max_price");
        row(R"("provider":{"max_price":{"prompt":-1}})", "provider.max_price.prompt");
        row(R"("provider":{"max_price":{"prompt":"1 USD"}})", "provider.max_price.prompt");
        row(R"("provider":{"max_price":{"prompt":1e300}})", "provider.max_price.prompt");
        row(R"("provider":{"max_price":{"tea":1}})", "provider.max_price.tea");
        row(R"("provider":{"preferred_max_latency":"fast"})", "provider.preferred_max_latency");
        row(R"("provider":{"preferred_max_latency":{"p1":1}})",
            "provider.preferred_max_latency.p1");
        row(R"("provider":{"quantizations":["fp8"]})", "provider.quantizations");
        row(R"("models":"m")", "models");
        row(R"("models":[1])", "models");
    }

    void refusesAndNamesTheField()
    {
        QFETCH(QString, member);
        QFETCH(QString, param);
        const auto facts = read(member.toStdString());
        QVERIFY(!facts);
        QCOMPARE(facts.error().status, 400);
        QCOMPARE(shown(facts.error().type), QString("invalid_request_error"));
        QCOMPARE(shown(facts.error().param), param);
        QVERIFY(shown(facts.error().message).contains(param));
    }

    void refusesListsThatNobodyWrites()
    {
        std::string names = R"("a")";
        for (int i = 1; i < 65; ++i)
            names += R"(,"a")";
        QCOMPARE(shown(read("\"models\":[" + names + "]").error().param), QString("models"));
        const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
        QCOMPARE(
            shown(read(R"("provider":{"order":)" + deep + "}").error().status == 400 ? "400" : ""),
            QString("400"));
    }
};

QTEST_APPLESS_MAIN(TestWishes)
#include "tst_wishes.moc"
