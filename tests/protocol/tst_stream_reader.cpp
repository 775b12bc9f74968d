// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/stream_reader.h"
#include "tests/protocol/streams.h"

#include <QTest>

#include <string>

using namespace weir;
using namespace weir::protocol;

class TestStreamReader : public QObject
{
    Q_OBJECT

private slots:
    void relaysEveryByte_data();
    void relaysEveryByte();
    void commitsAtFirstOutput_data();
    void commitsAtFirstOutput();
    void completesTheLastEvent_data();
    void completesTheLastEvent();
    void refusesLongLines();
    void countsOutputEvents();
};

void TestStreamReader::relaysEveryByte_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("stream");
    const auto row = [](const char* name, bool anthropic, const std::string& stream) {
        QTest::newRow(name) << anthropic << QByteArray::fromStdString(stream);
    };
    row("plain", false, kRole + kText + kStop + kUsage + kDone);
    row("B051 comments", false, ": OPENROUTER PROCESSING\n\n: x\n\n" + kText + kStop + kDone);
    row("B056 multi-byte",
        false,
        "data: {\"choices\":[{\"delta\":{\"content\":\"語🌍\"}}]}\n\n" + kDone);
    row("B047 CRLF", false, "data: {\"choices\":[]}\r\n\r\ndata: [DONE]\r\n\r\n");
    row("unknown things", false, "event: x\nid: 7\ndata: what\n\ndata: {\"y\":1}\n\n\n" + kText);
    row("invalid UTF-8",
        false,
        "data: {\"choices\":[{\"delta\":{\"content\":\"\xE8\"}}]}\n\n" + kText);
    row("Anthropic",
        true,
        kMessageStart + "event: ping\ndata: {\"type\":\"ping\"}\n\n" + kBlockStart + kTextDelta +
            sseEvent("never_heard_of", R"(,"x":[1])") + kMessageStop);
    row("DONE means nothing there", true, kTextDelta + kDone);
}

void TestStreamReader::relaysEveryByte()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, stream);
    const Protocol protocol = anthropic ? kAnthropic : kOpenAi;
    const std::string bytes = stream.toStdString();
    Reading whole{protocol};
    whole.feed(bytes).end();
    QVERIFY(whole.relayed == bytes);
    Reading pieces{protocol};
    pieces.feedBytewise(bytes).end();
    QVERIFY(pieces.relayed == bytes);
    QVERIFY(!whole.reader.failure());
    QCOMPARE(pieces.reader.hasOutput(), whole.reader.hasOutput());
    QCOMPARE(pieces.reader.isComplete(), whole.reader.isComplete());
    QCOMPARE(usageOf(pieces), usageOf(whole));
}

// Wire case B003: preamble is no output.
void TestStreamReader::commitsAtFirstOutput_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<bool>("output");
    const auto delta = [](const char* members, bool output) {
        const std::string stream =
            std::string{"data: {\"choices\":[{\"index\":0,\"delta\":"} + members + "}]}\n\n";
        QTest::newRow(members) << false << QByteArray::fromStdString(stream) << output;
    };
    delta(R"({"role":"assistant"})", false);
    delta(R"({"role":"assistant","content":""})", false);
    delta(R"({"content":null,"tool_calls":null,"refusal":null})", false);
    delta(R"({"content":"x"})", true);
    delta(R"({"content":" "})", true);
    delta(R"({"refusal":"no"})", true);
    delta(R"({"reasoning":"hm"})", true);
    delta(R"({"reasoning_content":"hm"})", true);
    delta(R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"="}]})", true);
    delta(R"({"reasoning_details":[]})", false);
    delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]})", true);
    delta(R"({"tool_calls":[]})", false);
    delta(R"({"function_call":{"name":"f"}})", true);
    delta(R"({"content":[{"type":"thinking","thinking":[{"text":"hm"}]}]})", true);
    delta("{}", false);
    delta("null", false);
    const auto row = [](const char* name, bool anthropic, const std::string& stream, bool output) {
        QTest::newRow(name) << anthropic << QByteArray::fromStdString(stream) << output;
    };
    row("finish alone", false, kStop, false);
    row("usage alone", false, kUsage, false);
    row("comment", false, ": x\n\n", false);
    row("DONE", false, kDone, false);
    row("message_start", true, kMessageStart, false);
    row("ping", true, sseEvent("ping", ""), false);
    row("text block", true, kBlockStart, false);
    row("text delta", true, kTextDelta, true);
    row("empty text delta",
        true,
        sseEvent("content_block_delta", R"(,"delta":{"type":"text_delta","text":""})"),
        false);
    row("thinking delta",
        true,
        sseEvent("content_block_delta", R"(,"delta":{"type":"thinking_delta","thinking":"hm"})"),
        true);
    row("tool input",
        true,
        sseEvent(
            "content_block_delta", R"(,"delta":{"type":"input_json_delta","partial_json":"{"})"),
        true);
    row("tool block",
        true,
        sseEvent("content_block_start", R"(,"content_block":{"type":"tool_use","input":{}})"),
        true);
    row("redacted thinking",
        true,
        sseEvent(
            "content_block_start", R"(,"content_block":{"type":"redacted_thinking","data":"="})"),
        true);
    row("signature",
        true,
        sseEvent("content_block_delta", R"(,"delta":{"type":"signature_delta","signature":"s"})"),
        false);
    row("text elsewhere is none",
        true,
        sseEvent("message_delta", R"(,"delta":{"text":"x"})"),
        false);
    row("no event name",
        true,
        "data: {\"delta\":{\"text\":\"x\",\"type\":\"text_delta\"},"
        "\"type\":\"content_block_delta\"}\n\n",
        true);
}

void TestStreamReader::commitsAtFirstOutput()
{
    QFETCH(bool, anthropic);
    QFETCH(QByteArray, stream);
    QFETCH(bool, output);
    Reading reading{anthropic ? kAnthropic : kOpenAi};
    reading.feed(stream.toStdString());
    QCOMPARE(reading.reader.hasOutput(), output);
    QCOMPARE(reading.reader.outputEvents(), std::int64_t{output ? 1 : 0});
    QVERIFY(reading.relayed == stream.toStdString());
}

void TestStreamReader::completesTheLastEvent_data()
{
    QTest::addColumn<QByteArray>("tail");
    QTest::addColumn<QByteArray>("relayed");
    QTest::addColumn<bool>("terminated");
    const auto row = [](const char* name, const char* tail, const char* relayed, bool terminated) {
        QTest::newRow(name) << QByteArray(tail) << QByteArray(relayed) << terminated;
    };
    row("blank line missing", "data: [DONE]\n", "data: [DONE]\n\n", true);
    row("line end missing", "data: [DONE]", "data: [DONE]\n\n", true);
    row("CR pending", "data: [DONE]\r\r", "data: [DONE]\r\r", true);
    row("whole JSON", "data: {\"x\":{}}", "data: {\"x\":{}}\n\n", false);
    row("cut JSON", "data: {\"x\":{}", "", false);
    row("cut JSON in a whole line", "data: {\"x\":{}\n", "data: {\"x\":{}\n\n", false);
    row("cut name", "dat", "", false);
    row("comment", ": x\n", ": x\n\n", false);
    row("cut comment", ": x", "", false);
    row("nothing", "", "", false);
}

void TestStreamReader::completesTheLastEvent()
{
    QFETCH(QByteArray, tail);
    QFETCH(QByteArray, relayed);
    QFETCH(bool, terminated);
    Reading reading{kOpenAi};
    reading.feed(kText).feed(tail.toStdString()).end();
    QVERIFY(reading.relayed == kText + relayed.toStdString());
    QCOMPARE(reading.reader.isTerminated(), terminated);
}

void TestStreamReader::refusesLongLines()
{
    Reading reading{kOpenAi, {.dropUsageChunk = false, .lineBytesMax = 100}};
    reading.feed(kText).feed("data: " + std::string(200, 'x'));
    QCOMPARE(outcomeOf(reading), QString("malformed"));
    QVERIFY(reading.relayed == kText);
    QCOMPARE(reading.reader.failure()->error.status, 502);
}

void TestStreamReader::countsOutputEvents()
{
    Reading reading{kOpenAi};
    reading.feed(kRole + kText + ": x\n\n" + kText + kStop + kUsage + kDone);
    QCOMPARE(reading.reader.outputEvents(), std::int64_t{2});
}

QTEST_APPLESS_MAIN(TestStreamReader)
#include "tst_stream_reader.moc"
