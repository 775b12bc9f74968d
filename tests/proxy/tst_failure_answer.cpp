// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/failure_answer.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace weir;
using namespace weir::proxy;

namespace {

ProviderConfig provider()
{
    ProviderConfig config;
    config.name = "p1";
    config.apiKey = Secret("sk-canary-123");
    return config;
}

AttemptResult refusal(int status, std::string_view body)
{
    AttemptResult result;
    result.httpStatus = status;
    result.hasAnswer = true;
    result.contentType = "application/json";
    result.answer.append(body);
    result.failure = protocol::classify(status, {}, result.answer.view(), UtcTime{});
    result.outcome = result.failure->outcome;
    return result;
}

AttemptResult silence(Outcome outcome)
{
    AttemptResult result;
    result.outcome = outcome;
    result.detail = "connection refused";
    return result;
}

QJsonObject parsed(const FailureAnswer& answer)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(answer.body)).object();
}

QString messageOf(const FailureAnswer& answer)
{
    return parsed(answer)["error"].toObject()["message"].toString();
}

} // namespace

class TestFailureAnswer final : public QObject
{
    Q_OBJECT

private slots:
    void theProvidersWordsPassUnchanged();
    void aRefusedKeyIsToldWithoutTheProvidersWords();
    void aQuotedKeyNeverPasses();
    void silenceIs502Or504_data();
    void silenceIs502Or504();
    void anHtmlPageBecomesTheProtocolsError();
    void theMostTellingFailureIsChosen();
};

void TestFailureAnswer::theProvidersWordsPassUnchanged()
{
    const std::string body = R"({"error":{"message":"max 10 > 5","type":"invalid_request_error"}})";
    AttemptResult result = refusal(400, body);
    const FailureAnswer answer = failureAnswer(Protocol::OpenAi, provider(), result);
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.body, body);
}

void TestFailureAnswer::aRefusedKeyIsToldWithoutTheProvidersWords()
{
    AttemptResult result =
        refusal(401, R"({"error":{"message":"Incorrect API key provided: sk-can**123"}})");
    const FailureAnswer answer = failureAnswer(Protocol::OpenAi, provider(), result);
    QCOMPARE(answer.status, 502);
    QVERIFY(answer.body.find("sk-can") == std::string::npos);
    QVERIFY(messageOf(answer).contains("p1"));
}

void TestFailureAnswer::aQuotedKeyNeverPasses()
{
    AttemptResult result =
        refusal(400, R"({"error":{"message":"bad header Bearer sk-canary-123"}})");
    const FailureAnswer answer = failureAnswer(Protocol::OpenAi, provider(), result);
    QVERIFY(answer.body.find("canary") == std::string::npos);
    QCOMPARE(answer.status, 502);
}

void TestFailureAnswer::silenceIs502Or504_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<int>("status");
    QTest::newRow("connect") << Outcome::ConnectFailed << 502;
    QTest::newRow("reset") << Outcome::Reset << 502;
    QTest::newRow("malformed") << Outcome::Malformed << 502;
    QTest::newRow("ttft") << Outcome::TtftTimeout << 504;
    QTest::newRow("deadline") << Outcome::Deadline << 504;
    QTest::newRow("the agent stops") << Outcome::ClientCancelled << 503;
}

void TestFailureAnswer::silenceIs502Or504()
{
    QFETCH(Outcome, outcome);
    AttemptResult result = silence(outcome);
    for (const Protocol protocol : {Protocol::OpenAi, Protocol::Anthropic}) {
        const FailureAnswer answer = failureAnswer(protocol, provider(), result);
        QTEST(answer.status, "status");
        QCOMPARE(parsed(answer)["type"].toString(), protocol == Protocol::Anthropic ? "error" : "");
        QVERIFY(!messageOf(answer).isEmpty());
    }
}

void TestFailureAnswer::anHtmlPageBecomesTheProtocolsError()
{
    AttemptResult result = refusal(503, "<html><body>Bad gateway</body></html>");
    const FailureAnswer answer = failureAnswer(Protocol::OpenAi, provider(), result);
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.contentType, "application/json");
    QVERIFY(parsed(answer)["error"].isObject());
    QVERIFY(answer.body.find("<html>") == std::string::npos);
}

void TestFailureAnswer::theMostTellingFailureIsChosen()
{
    std::vector<AttemptResult> results;
    results.push_back(refusal(429, R"({"error":{"message":"slow down"}})"));
    results.push_back(silence(Outcome::ConnectFailed));
    QCOMPARE(mostTelling(results), 0U);
    results.push_back(refusal(500, R"({"error":{"message":"oops"}})"));
    QCOMPARE(mostTelling(results), 2U);
    std::vector<AttemptResult> silent;
    silent.push_back(silence(Outcome::Reset));
    silent.push_back(silence(Outcome::TtftTimeout));
    QCOMPARE(mostTelling(silent), 1U);
}

QTEST_APPLESS_MAIN(TestFailureAnswer)
#include "tst_failure_answer.moc"
