// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_reader.h"
#include "tests/protocol/streams.h"

#include <QTest>

#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace weir::protocol;

class TestStreamEnding : public QObject
{
    Q_OBJECT

private slots:
    void knowsTheEnd_data();
    void knowsTheEnd();
    void theLastEventPassesAsItCame_data();
    void theLastEventPassesAsItCame();
    void waitsForAllChoices();
    void failsOnErrors_data();
    void failsOnErrors();
    void failsAfterOutput();
    void dropsUsageChunkOnly();
    void countsUsage_data();
    void countsUsage();
};

// Wire cases B057, B062, B064.
void TestStreamEnding::knowsTheEnd_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("finish");
    QTest::addColumn<bool>("terminated");
    const auto row = [](const char* name,
                        bool anthropic,
                        const std::string& stream,
                        const char* finish,
                        bool terminated) {
        QTest::newRow(name) << anthropic << QByteArray::fromStdString(stream) << QString(finish)
                            << terminated;
    };
    const auto finish = [](const char* reason) {
        return std::string{"data: {\"choices\":[{\"delta\":{},\"finish_reason\":"} + reason +
               "}]}\n\n";
    };
    row("cut", false, kText, "", false);
    row("DONE only", false, kText + kDone, "", true);
    row("null, then DONE", false, kText + finish("null") + kDone, "", true);
    row("finish and DONE", false, kText + kStop + kDone, "stop", true);
    row("finish only", false, kText + kStop, "stop", false);
    row("finish with output",
        false,
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"length\"}]}\n\n",
        "length",
        false);
    row("empty is no finish", false, kText + finish("\"\""), "", false);
    row("no blank after colon", false, "data:[DONE]\n\n", "", true);
    row("message_stop", true, kTextDelta + kMessageStop, "", true);
    row("stop_reason",
        true,
        kTextDelta + sseEvent("message_delta", R"(,"delta":{"stop_reason":"max_tokens"})"),
        "max_tokens",
        false);
    row("null stop_reason",
        true,
        kTextDelta + sseEvent("message_delta", R"(,"delta":{"stop_reason":null})"),
        "",
        false);
    row("Anthropic cut", true, kMessageStart + kTextDelta, "", false);
}

void TestStreamEnding::knowsTheEnd()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, stream);
    QFETCH(QString, finish);
    QFETCH(bool, terminated);
    Reading reading{anthropic ? kAnthropic : kOpenAi};
    reading.feed(stream.toStdString()).end();
    QCOMPARE(shown(reading.reader.finishReason()), finish);
    QCOMPARE(reading.reader.hasFinish(), !finish.isEmpty());
    QCOMPARE(reading.reader.isTerminated(), terminated);
    QCOMPARE(reading.reader.isComplete(), terminated || !finish.isEmpty());
    QVERIFY(!reading.reader.failure());
}

// With n = 2 the first choice may end long before the second.
void TestStreamEnding::theLastEventPassesAsItCame_data()
{
    QTest::addColumn<QByteArray>("lineEnd");
    QTest::newRow("LF") << QByteArray("\n");
    QTest::newRow("CRLF") << QByteArray("\r\n");
    QTest::newRow("CR") << QByteArray("\r");
}

void TestStreamEnding::theLastEventPassesAsItCame()
{
    QFETCH(QByteArray, lineEnd);
    const std::string end = lineEnd.toStdString();
    const std::string stream =
        "event: message_stop" + end + R"(data: {"type":"message_stop"})" + end + end;
    StreamReader reader(Api::Messages, {});
    std::string passed;
    std::vector<std::string_view> relay;
    reader.feed(stream, UtcTime{}, relay);
    for (const std::string_view piece : relay)
        passed += piece;
    relay.clear();
    reader.atEnd(UtcTime{}, relay);
    for (const std::string_view piece : relay)
        passed += piece;
    QCOMPARE(QByteArray::fromStdString(passed), QByteArray::fromStdString(stream));
    QVERIFY(reader.isTerminated());
}

void TestStreamEnding::waitsForAllChoices()
{
    const auto choice = [](int index, const char* rest) {
        return "data: {\"choices\":[{\"index\":" + std::to_string(index) + "," + rest + "}]}\n\n";
    };
    Reading reading{kOpenAi};
    reading.feed(choice(0, R"("delta":{"role":"assistant"})"));
    reading.feed(choice(1, R"("delta":{"role":"assistant"})"));
    reading.feed(choice(0, R"("delta":{},"finish_reason":"stop")"));
    QVERIFY(!reading.reader.hasFinish());
    reading.feed(choice(1, R"("delta":{"content":"x"})"));
    reading.feed(choice(1, R"("delta":{},"finish_reason":"length")"));
    QCOMPARE(shown(reading.reader.finishReason()), QString("length"));
}

// Wire cases B002, B003, B060, B066; nothing of the failing event reaches the client.
void TestStreamEnding::failsOnErrors_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<int>("status");
    const auto row = [](bool anthropic, const char* stream, const char* outcome, int status) {
        QTest::addRow("%.120s", stream)
            << anthropic << QByteArray(stream) << QString(outcome) << status;
    };
    const char* const overloaded =
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
        "\"message\":\"Overloaded\"}}\n\n";
    row(true, overloaded, "overloaded", 529);
    row(false, overloaded, "overloaded", 529);
    row(true, "data: {\"error\":{\"type\":\"api_error\"}}\n\n", "server_error", 502);
    row(false, "data: {\"error\":{\"code\":\"insufficient_quota\"}}\n\n", "no_credit", 402);
    row(false,
        "data: {\"id\":\"x\",\"choices\":[],\"error\":{\"code\":502,\"message\":\"Provider "
        "returned "
        "error\"}}\n\n",
        "server_error",
        502);
    row(false,
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
        "server_error",
        502);
    row(false,
        "data: {\"choices\":[{\"delta\":{},\"error\":{\"code\":429}}]}\n\n",
        "rate_limited",
        429);
    row(false,
        "data: {\"object\":\"error\",\"message\":\"x\",\"code\":400}\n\n",
        "bad_request",
        400);
    row(false, "data: {\"error\":\"crashed\"}\n\n", "server_error", 502);
    row(false,
        "error: {\"code\":400,\"type\":\"exceed_context_size_error\",\"message\":\"x\"}\n\n",
        "context_overflow",
        400);
    row(false, "data: {\"error\":{\"code\":400,\"message\":\"x\"}}\n\n", "bad_request", 400);
    row(false, "{\"error\":{\"code\":429,\"message\":\"x\"}}\n\n", "rate_limited", 429);
    row(false, "{\"error\":{\"code\":429,\"message\":\"x\"}}", "rate_limited", 429);
    row(false, "<html>\n<body>busy</body></html>\n\n", "malformed", 502);
    row(false, "<html>busy", "malformed", 502);
    row(false, "event: error\ndata: gone wrong\n\n", "malformed", 502);
}

void TestStreamEnding::failsOnErrors()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, stream);
    QFETCH(QString, outcome);
    QFETCH(int, status);
    const std::string preamble = anthropic ? kMessageStart : kRole;
    for (const std::string& before : {std::string{}, preamble}) {
        Reading reading{anthropic ? kAnthropic : kOpenAi};
        reading.feed(before + stream.toStdString()).end();
        QCOMPARE(outcomeOf(reading), outcome);
        QCOMPARE(reading.reader.failure()->error.status, status);
        QVERIFY(!reading.reader.hasOutput());
        QVERIFY(reading.relayed == before);
        Reading pieces{anthropic ? kAnthropic : kOpenAi};
        pieces.feedBytewise(before + stream.toStdString()).end();
        QCOMPARE(outcomeOf(pieces), outcome);
        QVERIFY(pieces.relayed == before);
    }
}

void TestStreamEnding::failsAfterOutput()
{
    Reading reading{kOpenAi};
    reading.feed(kText + "data: {\"choices\":[],\"error\":{\"code\":502}}\n\n" + kText + kDone);
    QCOMPARE(outcomeOf(reading), QString("server_error"));
    QVERIFY(reading.reader.hasOutput());
    QVERIFY(!reading.reader.isTerminated());
    QVERIFY(reading.relayed == kText);
    reading.feed(kText).end();
    QVERIFY(reading.relayed == kText);
}

// Wire cases B061, B063, B086.
void TestStreamEnding::dropsUsageChunkOnly()
{
    const StreamReader::Options drop{.dropUsageChunk = true};
    Reading dropped{kOpenAi, drop};
    dropped.feed(kRole + kText + kStop + kUsage + kDone);
    QVERIFY(dropped.relayed == kRole + kText + kStop + kDone);
    QCOMPARE(usageOf(dropped), QString("12/-/7"));
    Reading kept{kOpenAi};
    kept.feed(kText + kStop + kUsage + kDone);
    QVERIFY(kept.relayed == kText + kStop + kUsage + kDone);
    for (const char* const choices : {"", "\"choices\":null,"}) {
        Reading reading{kOpenAi, drop};
        reading.feed("data: {" + std::string{choices} + "\"usage\":{\"completion_tokens\":7}}\n\n");
        QVERIFY(reading.relayed.empty());
    }
    // With a choice it is no usage-only chunk, and an empty chunk without usage is something else.
    const std::string both = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
                             "\"usage\":{\"completion_tokens\":7}}\n\n"
                             "data: {\"choices\":[],\"prompt_filter_results\":[]}\n\n"
                             "data: {\"choices\":[],\"usage\":null}\n\n";
    Reading reading{kOpenAi, drop};
    reading.feed(both);
    QVERIFY(reading.relayed == both);
    // Cut in two by a read, it is dropped all the same.
    Reading pieces{kOpenAi, drop};
    pieces.feedBytewise(kText + kUsage + kDone);
    QVERIFY(pieces.relayed == kText + kDone);
}

void TestStreamEnding::countsUsage_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QString>("usage");
    const auto row =
        [](const char* name, bool anthropic, const std::string& stream, const char* usage) {
            QTest::newRow(name) << anthropic << QByteArray::fromStdString(stream) << QString(usage);
        };
    const auto cumulative = [](int count) {
        return "data: "
               "{\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":9,"
               "\"completion_tokens\":" +
               std::to_string(count) + "}}\n\n";
    };
    const std::string delta = sseEvent(
        "message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15})");
    row("usage chunk", false, kText + kStop + kUsage + kDone, "12/-/7");
    row("cumulative: the last wins", false, cumulative(1) + cumulative(2) + kDone, "9/-/2");
    row("none: estimated", false, kText + kStop + kDone, "-/-/2~");
    row("none, no output", false, kRole, "-/-/-");
    row("cached",
        false,
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1200,\"completion_tokens\":7,"
        "\"prompt_tokens_details\":{\"cached_tokens\":1000}}}\n\n",
        "200/1000/7");
    row("contradiction",
        false,
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":7,"
        "\"prompt_tokens_details\":{\"cached_tokens\":2}}}\n\n",
        "0/1/7!");
    row("delta overrides the placeholder", true, kMessageStart + kTextDelta + delta, "30/-/15");
    row("delta overrides field by field",
        true,
        kMessageStart +
            sseEvent(
                "message_delta",
                R"(,"usage":{"input_tokens":null,"cache_read_input_tokens":5,"output_tokens":2})"),
        "30/5/2");
    std::string forty = kMessageStart;
    for (int i = 0; i < 40; ++i)
        forty += kTextDelta;
    row("B099 the placeholder is no count", true, forty, "30/-/40~");
    row("B101 no output, no count", true, kMessageStart, "30/-/-");
    row("B101 an error's words are no output",
        false,
        "data: {\"error\":{\"message\":\"a long sentence about what went wrong\"}}\n\n",
        "-/-/-");
}

void TestStreamEnding::countsUsage()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, stream);
    QFETCH(QString, usage);
    Reading reading{anthropic ? kAnthropic : kOpenAi};
    reading.feed(stream.toStdString()).end();
    QCOMPARE(usageOf(reading), usage);
}

QTEST_APPLESS_MAIN(TestStreamEnding)
#include "tst_stream_ending.moc"
