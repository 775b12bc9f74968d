// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/answer_head.h"
#include "agent/proxy/models.h"
#include "agent/proxy/request_id.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::proxy;

/// The small parts of an exchange, each with what a client or an operator would notice of it.
class TestProxySmall final : public QObject
{
    Q_OBJECT

private slots:
    void requestIdsSortByAgeAndNeverRepeat();
    void headsCarryTheContractsFields();
    void headsFrameForEveryVersion();
    void onlyHarmlessFieldsOfTheProviderPass();
    void modelsAreListedInBothProtocols();
};

void TestProxySmall::requestIdsSortByAgeAndNeverRepeat()
{
    RequestIds ids({1, 2});
    QSet<QString> seen;
    for (int i = 0; i < 10000; ++i) {
        seen.insert(QString::fromStdString(ids.next(fromEpochMs(1'790'000'000'000))));
    }
    QCOMPARE(seen.size(), 10000);
    const std::string older = ids.next(fromEpochMs(1'790'000'000'000));
    const std::string newer = ids.next(fromEpochMs(1'790'000'000'001));
    QVERIFY(older < newer);
    QCOMPARE(newer.size(), 32U);
}

void TestProxySmall::headsCarryTheContractsFields()
{
    AnswerFields fields;
    fields.requestId = "id1";
    fields.provider = "b";
    fields.route = "b/m@us";
    fields.reason = Reason::Failover;
    fields.mode = EffectiveMode::Failsafe;
    fields.level = 0;
    fields.attempts = 2;
    fields.retryAfter = 1001ms;
    fields.shouldRetry = false;
    const std::string head = answerHead(429, "application/json", fields, {17, 1, true}, "");
    QCOMPARE(
        QByteArray::fromStdString(head),
        "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
        "X-Weir-Request-Id: id1\r\nX-Weir-Provider: b\r\nX-Weir-Route: b/m@us\r\n"
        "X-Weir-Reason: failover\r\nX-Weir-Level: L0\r\nX-Weir-Mode: failsafe\r\n"
        "X-Weir-Attempts: 2\r\nRetry-After: 2\r\nx-should-retry: false\r\n"
        "Content-Length: 17\r\n\r\n");
}

void TestProxySmall::headsFrameForEveryVersion()
{
    const AnswerFields fields;
    const auto head = [&fields](AnswerFraming framing) {
        return QByteArray::fromStdString(answerHead(200, "text/event-stream", fields, framing, ""));
    };
    QVERIFY(head({std::nullopt, 1, true}).contains("\r\nTransfer-Encoding: chunked\r\n"));
    QVERIFY(!head({std::nullopt, 0, false}).contains("Transfer-Encoding"));
    QVERIFY(head({std::nullopt, 0, false}).contains("\r\nConnection: close\r\n"));
    QVERIFY(head({5, 0, true}).contains("\r\nConnection: keep-alive\r\n"));
    QVERIFY(!head({5, 1, true}).contains("Connection:"));
}

void TestProxySmall::onlyHarmlessFieldsOfTheProviderPass()
{
    http::ResponseHead head;
    const std::string text = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nX-Request-Id: r1\r\n"
                             "x-ratelimit-remaining-tokens: 5\r\nServer: s\r\nConnection: close\r\n"
                             "Content-Length: 0\r\n\r\n";
    QVERIFY(!http::parseResponseHead(text, {}, head));
    QCOMPARE(
        QByteArray::fromStdString(passedFields(head)),
        "X-Request-Id: r1\r\nx-ratelimit-remaining-tokens: 5\r\n");
}

void TestProxySmall::modelsAreListedInBothProtocols()
{
    Config config;
    config.models["glm"] = {};
    config.tasks["default"] = {};
    const auto body = [&config](Protocol protocol) {
        return QJsonDocument::fromJson(QByteArray::fromStdString(modelsBody(protocol, config)))
            .object();
    };
    QCOMPARE(body(Protocol::OpenAi)["object"].toString(), "list");
    QCOMPARE(body(Protocol::OpenAi)["data"].toArray().size(), 1);
    QCOMPARE(body(Protocol::Anthropic)["data"][0]["type"].toString(), "model");
    QCOMPARE(body(Protocol::Anthropic)["last_id"].toString(), "glm");
    config.tasks["default"].models = {"glm"};
    QCOMPARE(body(Protocol::OpenAi)["data"][1]["id"].toString(), "auto");
    QCOMPARE(modelNames(config), "glm, auto");
}

QTEST_APPLESS_MAIN(TestProxySmall)
#include "tst_proxy_small.moc"
