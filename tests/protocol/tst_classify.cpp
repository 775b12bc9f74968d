// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/classify.h"
#include "agent/protocol/failure_table.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <vector>

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr UtcTime kNow{std::chrono::seconds{1796032800}};

Failure classified(int status, std::string_view body, const std::vector<http::Field>& fields = {})
{
    return classify(status, fields, body, kNow);
}

void columns()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("outcome");
}

void row(int status, const char* body, const char* outcome)
{
    QTest::addRow("%d %.90s", status, body) << status << QByteArray(body) << QString(outcome);
}

} // namespace

class TestClassify : public QObject
{
    Q_OBJECT

private slots:
    void byStatus_data();

    void byStatus() { compareOutcome(); }

    void contextOverflow_data();

    void contextOverflow() { compareOutcome(); }

    void contextOverflowHasCanonicalWords();
    void contentPolicy_data();

    void contentPolicy() { compareOutcome(); }

    void noCredit_data();

    void noCredit() { compareOutcome(); }

    void otherBodies_data();

    void otherBodies() { compareOutcome(); }

    void insideOk_data();
    void insideOk();
    void passesProvidersWords();
    void readsEnvelopeShapes_data();
    void readsEnvelopeShapes();
    void neverShowsPagesOrKeys();
    void passesRetryWishes();
    void tableIsSound();

private:
    void compareOutcome();
};

void TestClassify::compareOutcome()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, outcome);
    const Failure failure =
        classified(status, {body.data(), static_cast<std::size_t>(body.size())});
    QCOMPARE(shown(toWord(failure.outcome)), outcome);
    QVERIFY(failure.error.status >= 400 && failure.error.status < 600);
    QVERIFY(!failure.error.message.empty());
    QVERIFY(!failure.error.type.empty());
}

void TestClassify::byStatus_data()
{
    columns();
    const char* const nothing = "";
    row(301, nothing, "model_unavailable");
    row(400, nothing, "bad_request");
    row(401, nothing, "auth");
    row(402, nothing, "no_credit");
    row(403, nothing, "auth");
    row(404, nothing, "model_unavailable");
    row(405, nothing, "model_unavailable");
    row(407, nothing, "auth");
    row(408, nothing, "overloaded");
    row(409, nothing, "bad_request");
    row(413, nothing, "bad_request");
    row(415, nothing, "bad_request");
    row(422, nothing, "bad_request");
    row(425, nothing, "overloaded");
    row(429, nothing, "rate_limited");
    row(500, nothing, "server_error");
    row(502, nothing, "server_error");
    row(503, nothing, "server_error");
    row(504, nothing, "server_error");
    row(520, nothing, "server_error");
    row(529, nothing, "overloaded");
    row(599, nothing, "server_error");
    row(799, nothing, "server_error");
    row(101, nothing, "server_error");
    row(404, "<html>Not here</html>", "model_unavailable");
    row(502, "<!DOCTYPE html><html>Bad gateway</html>", "server_error");
}

// Wire case B040: each server's own words.
void TestClassify::contextOverflow_data()
{
    columns();
    const char* const overflow = "context_overflow";
    row(400, R"({"error":{"message":"Too long","code":"context_length_exceeded"}})", overflow);
    row(400,
        R"({"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400})",
        overflow);
    row(400,
        R"({"error":{"message":"The input (9 tokens) is longer than the model's context length (4 tokens)."}})",
        overflow);
    row(400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}})",
        overflow);
    row(400,
        R"({"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 150000 + 20000 > 163840"}})",
        overflow);
    row(400,
        R"({"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}})",
        overflow);
    row(413,
        R"({"error":{"message":"Your input exceeds the context window of this model"}})",
        overflow);
    row(422,
        R"({"detail":"This model's maximum prompt length is 100 but the request contains 200"})",
        overflow);
    row(400,
        R"({"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"prompt is too long: 9 tokens > 8 maximum\"}}"}}})",
        overflow);
    // A rate limit counts tokens too.
    row(429, R"({"error":{"message":"Limit of tokens: maximum context length"}})", "rate_limited");
    row(413,
        R"({"error":{"message":"Request too large on tokens per minute","code":"rate_limit_exceeded"}})",
        "rate_limited");
    row(400, R"({"error":{"message":"max_tokens is too large: 9. At most 4"}})", "bad_request");
}

// Wire case B041.
void TestClassify::contextOverflowHasCanonicalWords()
{
    const Failure failure = classified(
        500, R"({"error":{"message":"exceeds the available context size","type":"server_error"}})");
    QCOMPARE(failure.error.status, 400);
    QCOMPARE(shown(failure.error.type), QString("invalid_request_error"));
    QCOMPARE(shown(failure.error.code), QString("context_length_exceeded"));
    QCOMPARE(shown(failure.error.message), QString("exceeds the available context size"));
}

// Wire cases B042, B043, and contract section 3: under any 4xx.
void TestClassify::contentPolicy_data()
{
    columns();
    for (const int status : {400, 403, 404, 422, 429}) {
        row(status, R"({"error":{"code":"content_filter","message":"No"}})", "refused");
    }
    row(400, R"({"error":{"code":"content_policy_violation","message":"No"}})", "refused");
    row(400,
        R"({"error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}})",
        "refused");
    row(400,
        R"({"error":{"message":"The response was filtered due to Azure OpenAI's content management policy."}})",
        "refused");
    row(403, R"({"error":{"code":403,"message":"Your input was flagged for \"x\""}})", "refused");
    row(500, R"({"error":{"code":"content_filter","message":"No"}})", "server_error");
}

// Under any status, and only where it is really about money.
/// B025.
void TestClassify::noCredit_data()
{
    columns();
    for (const int status : {400, 401, 403, 404, 429, 500}) {
        row(status, R"({"error":{"code":"insufficient_quota","message":"x"}})", "no_credit");
        row(status,
            R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}})",
            "no_credit");
    }
    row(400,
        R"({"error":{"message":"You have reached your specified API usage limits. You will regain access on 2026-12-01."}})",
        "no_credit");
    row(402, R"({"error":{"message":"Insufficient Balance","type":"unknown_error"}})", "no_credit");
    row(402,
        R"({"error":{"message":"This request requires more credits","code":402}})",
        "no_credit");
    row(429, R"({"error":{"type":"exceeded_current_quota_error","message":"x"}})", "no_credit");
    row(403, R"({"error":"Your team has used all available credits","code":"x"})", "no_credit");
    row(412,
        R"({"error":{"message":"Account a is suspended, possibly due to reaching the monthly spending limit"}})",
        "no_credit");
    // Google's daily and minute limits are worded like a lack of money and are none.
    row(429,
        R"({"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}})",
        "rate_limited");
    row(400, R"({"error":{"message":"Unknown parameter: credit"}})", "bad_request");
}

void TestClassify::otherBodies_data()
{
    columns();
    row(400, R"({"error":{"code":"model_not_found","message":"x"}})", "model_unavailable");
    row(403, R"({"error":{"code":"model_not_found","message":"x"}})", "model_unavailable");
    row(400,
        R"({"error":{"message":"abc is not a valid model ID","code":400}})",
        "model_unavailable");
    row(404,
        R"({"type":"error","error":{"type":"not_found_error","message":"model: x"}})",
        "model_unavailable");
    row(400, R"({"error":{"message":"Incorrect API key provided: sk-1"}})", "auth");
    row(400, R"({"error":{"code":400,"message":"API key not valid."}})", "auth");
    row(400, R"({"error":{"code":"invalid_api_key","message":"x"}})", "auth");
    row(500,
        R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
        "overloaded");
    row(429, R"({"error":{"type":"engine_overloaded_error","message":"x"}})", "overloaded");
    row(400,
        R"({"error":{"type":"invalid_request_error","message":"Bad tool schema"}})",
        "bad_request");
    row(400, "{broken", "bad_request");
    row(500, "\xFF\xFE", "server_error");
}

// Errors in a 200: wire cases B002, B003, B006, B060, B066.
void TestClassify::insideOk_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<int>("status");
    const auto add = [](const char* body, const char* outcome, int status) {
        QTest::addRow("%.90s", body) << QByteArray(body) << QString(outcome) << status;
    };
    add(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
        "overloaded",
        529);
    add(R"({"error":{"code":"insufficient_quota"}})", "no_credit", 402);
    add(R"({"error":{"message":"could not process image"}})", "server_error", 502);
    add(R"({"id":"x","choices":[],"error":{"code":502,"message":"Provider returned error"}})",
        "server_error",
        502);
    add(R"({"choices":[{"finish_reason":"error","error":{"code":429,"message":"x"}}]})",
        "rate_limited",
        429);
    add(R"({"error":{"code":"429","message":"x"}})", "rate_limited", 429);
    add(R"({"code":400,"type":"exceed_context_size_error","message":"x"})",
        "context_overflow",
        400);
    add(R"({"error":{"code":400,"message":"x"}})", "bad_request", 400);
    add(R"({"error":{"type":"invalid_request_error","message":"x"}})", "bad_request", 400);
    add(R"({"error":{"type":"rate_limit_error","message":"x"}})", "rate_limited", 429);
    add(R"({"error":{"type":"authentication_error","message":"x"}})", "auth", 401);
    add(R"({"error":{"type":"not_found_error","message":"x"}})", "model_unavailable", 404);
    add(R"({"error":{"code":"content_filter","message":"x"}})", "refused", 400);
    add(R"({"error":"model runner has crashed"})", "server_error", 502);
    add(R"([{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}])", "server_error", 503);
    add(R"({"id":"x","choices":[]})", "malformed", 502);
    add("<html></html>", "malformed", 502);
    add("", "malformed", 502);
    add("{", "malformed", 502);
}

void TestClassify::insideOk()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, outcome);
    QFETCH(int, status);
    const Failure failure = classified(200, {body.data(), static_cast<std::size_t>(body.size())});
    QCOMPARE(shown(toWord(failure.outcome)), outcome);
    QCOMPARE(failure.error.status, status);
}

// Wire case B009: agents read the figures in the message.
void TestClassify::passesProvidersWords()
{
    const Failure failure = classified(
        422,
        R"({"error":{"message":"Bad 語","type":"some_type","code":"some_code","param":"tools[0]"}})");
    QCOMPARE(failure.error.status, 422);
    QCOMPARE(shown(failure.error.message), QString::fromUtf8("Bad 語"));
    QCOMPARE(shown(failure.error.type), QString("some_type"));
    QCOMPARE(shown(failure.error.code), QString("some_code"));
    QCOMPARE(shown(failure.error.param), QString("tools[0]"));
    QCOMPARE(
        shown(classified(503, "no healthy upstream\n").error.message),
        QString("no healthy upstream"));
    const std::string longMessage(100000, 'x');
    const std::string body = R"({"error":{"message":")" + longMessage + R"("}})";
    QCOMPARE(classified(400, body).error.message.size(), std::size_t{16384});
}

void TestClassify::readsEnvelopeShapes_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("message");
    const auto add = [](const char* body, const char* message) {
        QTest::addRow("%s", body) << QByteArray(body) << QString(message);
    };
    add(R"({"error":{"message":"m"}})", "m");
    add(R"({"error":"m"})", "m");
    add(R"({"message":"m","type":"t"})", "m");
    add(R"({"object":"error","message":{"detail":[{"msg":"a"},{"msg":"b"}]}})", "a; b");
    add(R"({"detail":"m"})", "m");
    add(R"({"detail":[{"loc":["body"],"msg":"a"},{"msg":"b"}]})", "a; b");
    add(R"({"detail":{"message":"m"}})", "m");
    add(R"({"errors":[{"message":"m","code":"c"}]})", "m");
    add(R"([{"error":{"message":"m"}}])", "m");
    add(R"({"error":{"error":{"message":"m"}}})", "m");
    add(R"({"error":{"message":[1,{"msg":["x",[["y"]]]}]}})", "1; x");
    add(R"({"error":{}})", "The provider answered with status 400.");
    add(R"({"x":1})", "The provider answered with status 400.");
    add(R"([])", "The provider answered with status 400.");
    add("", "The provider answered with status 400.");
}

void TestClassify::readsEnvelopeShapes()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, message);
    const Failure failure = classified(400, {body.data(), static_cast<std::size_t>(body.size())});
    QCOMPARE(shown(failure.error.message), message);
}

void TestClassify::neverShowsPagesOrKeys()
{
    const QString page = shown(classified(502, "<html>nginx secret</html>").error.message);
    QCOMPARE(page, QString("The provider answered with status 502."));
    const char* const echo =
        R"({"error":{"message":"Incorrect API key provided: sk-canary","code":"invalid_api_key"}})";
    for (const int status : {400, 401, 403}) {
        const Failure failure = classified(status, echo);
        QCOMPARE(failure.outcome, Outcome::Auth);
        QVERIFY(failure.error.message.find("canary") == std::string::npos);
    }
    // What has nothing to do with keys helps to see why.
    QCOMPARE(
        shown(classified(403, R"({"error":{"message":"Country not supported"}})").error.message),
        QString("Country not supported"));
}

void TestClassify::passesRetryWishes()
{
    const Failure hinted = classified(503, "", {{"Retry-After", "2"}, {"X-Should-Retry", "FALSE"}});
    QCOMPARE(hinted.outcome, Outcome::Overloaded);
    QVERIFY(hinted.retryAfter == std::chrono::milliseconds{2000});
    QVERIFY(hinted.shouldRetry == false);
    const Failure bare = classified(429, "", {{"x-should-retry", "perhaps"}});
    QVERIFY(!bare.retryAfter);
    QVERIFY(!bare.shouldRetry);
    QVERIFY(classified(500, "", {{"x-should-retry", "true"}}).shouldRetry == true);
    const Failure inBody = classified(429, R"({"error":{"message":"try again in 1.5s"}})");
    QVERIFY(inBody.retryAfter == std::chrono::milliseconds{1500});
}

// A needle in capitals would never be found, and an empty one always.
void TestClassify::tableIsSound()
{
    for (const FailureRule& rule : failureRules()) {
        QVERIFY(rule.from <= rule.to);
        QCOMPARE(rule.needle.empty(), rule.where == Where::Status);
        for (const char c : rule.needle)
            QVERIFY(c < 'A' || c > 'Z');
    }
    QCOMPARE(failureRules().back().where, Where::Status);
}

QTEST_APPLESS_MAIN(TestClassify)
#include "tst_classify.moc"
