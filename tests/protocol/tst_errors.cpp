// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/errors.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

class TestErrors : public QObject
{
    Q_OBJECT

private slots:
    void writesOpenAi();
    void writesNullForEmpty();
    void writesAnthropic_data();
    void writesAnthropic();
    void writesAnthropicsDetails();
    void replacesInvalidUtf8();
    void writesEvents();
};

void TestErrors::writesOpenAi()
{
    const ApiError error{400, "invalid_request_error", "bad \"x\"", "Wrong\nline", "messages"};
    QCOMPARE(
        shown(errorBody(Protocol::OpenAi, error)),
        QString(R"({"error":{"message":"Wrong\nline","type":"invalid_request_error",)"
                R"("param":"messages","code":"bad \"x\""}})"));
}

void TestErrors::writesNullForEmpty()
{
    const ApiError error{500, "api_error", {}, "Oops", {}};
    QCOMPARE(
        shown(errorBody(Protocol::OpenAi, error)),
        QString(R"({"error":{"message":"Oops","type":"api_error","param":null,"code":null}})"));
}

void TestErrors::writesAnthropic_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("type");
    QTest::newRow("400") << 400 << "invalid_request_error";
    QTest::newRow("401") << 401 << "authentication_error";
    QTest::newRow("402") << 402 << "billing_error";
    QTest::newRow("403") << 403 << "permission_error";
    QTest::newRow("404") << 404 << "not_found_error";
    QTest::newRow("413") << 413 << "request_too_large";
    QTest::newRow("422") << 422 << "invalid_request_error";
    QTest::newRow("429") << 429 << "rate_limit_error";
    QTest::newRow("500") << 500 << "api_error";
    QTest::newRow("502") << 502 << "api_error";
    QTest::newRow("503") << 503 << "overloaded_error";
    QTest::newRow("504") << 504 << "timeout_error";
    QTest::newRow("529") << 529 << "overloaded_error";
}

void TestErrors::writesAnthropic()
{
    QFETCH(int, status);
    QFETCH(QString, type);
    const ApiError error{status, "whatever", "code", "Words", "param"};
    QCOMPARE(
        shown(errorBody(Protocol::Anthropic, error)),
        QString(R"({"type":"error","error":{"type":"%1","message":"Words"}})").arg(type));
}

void TestErrors::writesAnthropicsDetails()
{
    ApiError error{400, {}, {}, "Words", {}};
    error.anthropicCode = "some_code";
    QCOMPARE(
        shown(errorBody(Protocol::Anthropic, error)),
        QString(R"({"type":"error","error":{"type":"invalid_request_error","message":"Words",)"
                R"("details":{"error_code":"some_code"}}})"));
}

void TestErrors::replacesInvalidUtf8()
{
    const ApiError error{
        500,
        "api_error",
        {},
        "a\xFF"
        "b",
        {}};
    const std::string body = errorBody(Protocol::Anthropic, error);
    QVERIFY(
        body.find("a\xEF\xBF\xBD"
                  "b") != std::string::npos);
}

// Wire case B058: the in-band end in each protocol, and nothing behind it.
void TestErrors::writesEvents()
{
    const ApiError error{502, "api_error", "stream_broken", "Cut", {}};
    QCOMPARE(
        shown(errorEvent(Api::ChatCompletions, error)),
        QString("data: {\"error\":{\"message\":\"Cut\",\"type\":\"api_error\",\"param\":null,"
                "\"code\":\"stream_broken\"}}\n\n"));
    QCOMPARE(
        shown(errorEvent(Api::Messages, error)),
        QString("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\","
                "\"message\":\"Cut\"}}\n\n"));
    QCOMPARE(
        shown(errorEvent(Api::Responses, error)),
        QString("event: error\ndata: {\"type\":\"error\",\"code\":\"stream_broken\","
                "\"message\":\"Cut\",\"param\":null}\n\n"));
}

QTEST_APPLESS_MAIN(TestErrors)
#include "tst_errors.moc"
