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

/// "429 wait 7", "bad says true", "connect", …
AttemptResult attempted(const QString& word)
{
    const QStringList parts = word.split(' ');
    AttemptResult result;
    if (parts[0] == "connect") return silence(Outcome::ConnectFailed);
    if (parts[0] == "reset") return silence(Outcome::Reset);
    if (parts[0] == "ttft") return silence(Outcome::TtftTimeout);
    if (parts[0] == "the") return silence(Outcome::ClientCancelled);
    if (parts[0] == "bad") result = refusal(400, R"({"error":{"message":"no"}})");
    if (parts[0] == "refused") result = refusal(400, R"({"error":{"code":"content_filter"}})");
    if (parts[0] == "overflow") result = refusal(400, R"({"error":"prompt is too long"})");
    if (parts[0] == "credit") result = refusal(402, R"({"error":{"message":"pay"}})");
    if (parts[0] == "auth") result = refusal(401, R"({"error":{"message":"who"}})");
    if (parts[0] == "gone") result = refusal(404, R"({"error":{"message":"what"}})");
    if (parts[0] == "malformed") result = refusal(200, "<html>");
    if (parts[0].toInt() != 0) result = refusal(parts[0].toInt(), R"({"error":{"message":"x"}})");
    if (parts.value(1) == "wait") {
        result.failure->retryAfter = std::chrono::seconds{parts[2].toInt()};
    }
    if (parts.value(1) == "says") result.failure->shouldRetry = parts[2] == "true";
    return result;
}

std::vector<AttemptResult> attempted(const QStringList& words)
{
    std::vector<AttemptResult> results;
    for (const QString& word : words)
        results.push_back(attempted(word));
    return results;
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
    void anOverflowIsToldInTheProtocolsWords_data();
    void anOverflowIsToldInTheProtocolsWords();
    void theMostTellingFailureIsChosen_data();
    void theMostTellingFailureIsChosen();
    void adviceToTheClient_data();
    void adviceToTheClient();
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

void TestFailureAnswer::anOverflowIsToldInTheProtocolsWords_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("unchanged");
    const auto row = [](const char* name, bool anthropic, const char* body, bool unchanged) {
        QTest::newRow(name) << anthropic << QByteArray(body) << unchanged;
    };
    row("OpenAI's own",
        false,
        R"({"error":{"message":"maximum context length is 5","code":"context_length_exceeded"}})",
        true);
    row("vLLM's",
        false,
        R"({"message":"This model's maximum context length is 5","code":400})",
        false);
    row("Anthropic's own",
        true,
        R"({"error":{"message":"prompt is too long: 6 tokens > 5"}})",
        true);
    row("Anthropic's other",
        true,
        R"({"error":{"message":"input length and `max_tokens` exceed context limit: 3 + 3 > 5"}})",
        true);
    row("vLLM's in Anthropic's protocol",
        true,
        R"({"error":{"message":"maximum context length is 5 tokens. However, you requested 6"}})",
        false);
}

// Wire case B040.
void TestFailureAnswer::anOverflowIsToldInTheProtocolsWords()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, body);
    QFETCH(bool, unchanged);
    const Protocol protocol = anthropic ? Protocol::Anthropic : Protocol::OpenAi;
    ProviderConfig config = provider();
    config.protocol = protocol;
    AttemptResult result = refusal(400, body.toStdString());
    QCOMPARE(result.outcome, Outcome::ContextOverflow);
    const FailureAnswer answer = failureAnswer(protocol, config, result);
    QCOMPARE(answer.status, 400);
    QCOMPARE(QByteArray::fromStdString(answer.body) == body, unchanged);
    const QJsonObject error = parsed(answer)["error"].toObject();
    if (!anthropic) QCOMPARE(error["code"].toString(), "context_length_exceeded");
    const bool telling = messageOf(answer).contains("prompt is too long: ") || unchanged;
    if (anthropic) QVERIFY(telling);
    QVERIFY(messageOf(answer).contains('5'));
}

void TestFailureAnswer::theMostTellingFailureIsChosen_data()
{
    QTest::addColumn<QStringList>("attempts");
    QTest::addColumn<int>("telling");
    const auto row = [](const char* name, const QStringList& attempts, int telling) {
        QTest::newRow(name) << attempts << telling;
    };
    row("words beat silence", {"429", "connect"}, 0);
    row("the last of equals", {"429", "connect", "500"}, 2);
    row("the last silence", {"reset", "ttft"}, 1);
    // Wire case B010: the client can wait, and need not compact for a route it would not have got.
    row("a rate limit beats a smaller window", {"429", "overflow"}, 0);
    row("a rate limit after a smaller window", {"overflow", "429"}, 1);
    row("a window beats silence", {"overflow", "connect"}, 0);
    row("the caller's own mistake", {"500", "bad"}, 1);
    row("a refused prompt", {"429", "refused"}, 1);
    row("credit is the operator's matter", {"500", "credit"}, 0);
    row("a model that is gone too", {"429", "gone", "auth"}, 0);
    row("credit in a provider's words", {"connect", "credit", "auth"}, 1);
    row("no answer at all is our word", {"429", "malformed"}, 0);
}

void TestFailureAnswer::theMostTellingFailureIsChosen()
{
    QFETCH(QStringList, attempts);
    QTEST(static_cast<int>(mostTelling(attempted(attempts))), "telling");
}

void TestFailureAnswer::adviceToTheClient_data()
{
    QTest::addColumn<QStringList>("attempts");
    QTest::addColumn<int>("waitMs");
    QTest::addColumn<QString>("retry");
    const auto row = [](const QStringList& attempts, int waitMs, const char* retry) {
        QTest::newRow(qPrintable(attempts.join(", "))) << attempts << waitMs << QString(retry);
    };
    // Wire case B017.
    row({"429", "429"}, 1000, "");
    row({"429", "529"}, 1000, "");
    row({"429 wait 30", "429 wait 7"}, 7000, "");
    row({"429 wait 0"}, 0, "");
    row({"429 wait 30", "429"}, 30000, "");
    row({"503 wait 4", "connect"}, 4000, "");
    row({"429 wait 61", "429 wait 3600"}, 61000, "false");
    row({"429 wait 60"}, 60000, "");
    row({"500"}, -1, "");
    row({"connect", "ttft"}, -1, "");
    row({"malformed"}, -1, "");
    // Only what passes by itself has a time.
    row({"credit wait 9"}, -1, "false");
    row({"429 wait 5", "credit wait 1"}, 5000, "");
    row({"credit", "auth", "gone"}, -1, "false");
    row({"auth", "connect"}, -1, "");
    // The caller's own doing.
    row({"bad"}, -1, "false");
    row({"429 wait 5", "bad"}, -1, "false");
    row({"refused"}, -1, "false");
    row({"overflow"}, -1, "false");
    row({"overflow", "429"}, 1000, "");
    // The provider's own word.
    row({"500 says true"}, -1, "true");
    row({"bad says true"}, -1, "true");
    row({"429 says false"}, 1000, "false");
    row({"500 says false", "429"}, 1000, "");
    row({"the agent stops"}, -1, "");
}

void TestFailureAnswer::adviceToTheClient()
{
    QFETCH(QStringList, attempts);
    QFETCH(int, waitMs);
    QFETCH(QString, retry);
    const std::vector<AttemptResult> results = attempted(attempts);
    const Advice advice = adviceFor(results, mostTelling(results));
    QCOMPARE(advice.retryAfter ? static_cast<int>(advice.retryAfter->count()) : -1, waitMs);
    QCOMPARE(
        advice.shouldRetry ? (*advice.shouldRetry ? QString("true") : QString("false")) : "",
        retry);
}

QTEST_APPLESS_MAIN(TestFailureAnswer)
#include "tst_failure_answer.moc"
