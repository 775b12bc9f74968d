// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer_events.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

class TestAnswerEvents final : public QObject
{
    Q_OBJECT

private slots:
    void chat();
    void messages();
    void noAnswer();
};

void TestAnswerEvents::chat()
{
    const Padded body(
        R"({"id":"c","object":"chat.completion","created":7,"model":"x","choices":[{"index":0,)"
        R"("message":{"role":"assistant","content":"h\u00e9","tool_calls":[{"id":"a","type":)"
        R"("function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],)"
        R"("usage":{"prompt_tokens":1}})");
    const QString start = R"(data: {"id":"c","object":"chat.completion.chunk","created":7,)"
                          R"("model":"x","choices":[)";
    const QString expected =
        start + R"({"index":0,"delta":{"role":"assistant","content":"h\u00e9","tool_calls":)" +
        R"([{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},)" +
        "\"finish_reason\":null}]}\n\n" + start +
        "{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    const QString usage = start + "],\"usage\":{\"prompt_tokens\":1}}\n\n";
    const QString done = "data: [DONE]\n\n";
    const auto asked = answerEvents(Protocol::OpenAi, body.view(), true);
    const auto plain = answerEvents(Protocol::OpenAi, body.view(), false);
    QVERIFY(asked && plain);
    QCOMPARE(shown(*asked), expected + usage + done);
    QCOMPARE(shown(*plain), expected + done);
}

void TestAnswerEvents::messages()
{
    const Padded body(
        R"({"id":"m","type":"message","role":"assistant","content":[{"type":"thinking",)"
        R"("thinking":"hm","signature":"s"},{"type":"text","text":"hi"},{"type":"tool_use",)"
        R"("id":"t","name":"f","input":{"a": 1}}],"stop_reason":"tool_use","usage":)"
        R"({"input_tokens":3,"output_tokens":5}})");
    const auto events = answerEvents(Protocol::Anthropic, body.view(), false);
    QVERIFY(events);
    const QStringList lines = shown(*events).split('\n', Qt::SkipEmptyParts).filter("data:");
    const QStringList expected = {
        R"(data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",)"
        R"("content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":5}}})",
        R"(data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking",)"
        R"("thinking":"","signature":""}})",
        R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",)"
        R"("thinking":"hm"}})",
        R"(data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta",)"
        R"("signature":"s"}})",
        R"(data: {"type":"content_block_stop","index":0})",
        R"(data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
        R"(data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"hi"}})",
        R"(data: {"type":"content_block_stop","index":1})",
        R"(data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use",)"
        R"("id":"t","name":"f","input":{}}})",
        R"(data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta",)"
        R"("partial_json":"{\"a\": 1}"}})",
        R"(data: {"type":"content_block_stop","index":2})",
        R"(data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},)"
        R"("usage":{"input_tokens":3,"output_tokens":5}})",
        R"(data: {"type":"message_stop"})"};
    QCOMPARE(lines, expected);
}

void TestAnswerEvents::noAnswer()
{
    for (const char* const text : {"", "[]", "{}", R"({"choices":[]})", R"({"content":[]})"}) {
        const Padded body(text);
        QVERIFY(!answerEvents(Protocol::OpenAi, body.view(), true));
        QVERIFY(!answerEvents(Protocol::Anthropic, body.view(), true));
    }
}

QTEST_APPLESS_MAIN(TestAnswerEvents)
#include "tst_answer_events.moc"
