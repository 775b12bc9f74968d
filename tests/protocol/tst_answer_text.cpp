// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer_text.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr std::size_t kMax = 4096;

/// The text, or why there is none.
QString found(const AnswerText& answer)
{
    if (answer.isTooLong()) return "(too long)";
    const auto text = answer.text();
    return text ? shown(*text) : QString("(more than text)");
}

/// Events as they would come, split after every `piece` bytes.
QString streamed(Api api, const QByteArray& events, qsizetype piece)
{
    AnswerText answer(api, kMax);
    for (qsizetype at = 0; at < events.size(); at += piece) {
        const QByteArray part = events.mid(at, piece);
        answer.feed({part.data(), static_cast<std::size_t>(part.size())});
    }
    return found(answer);
}

QByteArray chunk(const char* delta, int index = 0)
{
    return QByteArray(R"(data: {"choices":[{"index":)") + QByteArray::number(index) +
           R"(,"delta":)" + delta + "}]}\n\n";
}

QByteArray eventOf(const char* json)
{
    return QByteArray("data: ") + json + "\n\n";
}

} // namespace

class TestAnswerText : public QObject
{
    Q_OBJECT

private slots:

    void readsDocuments_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("text");

        const Api chat = Api::ChatCompletions;
        QTest::newRow("text") << chat
                              << "{\"choices\":[{\"message\":{\"content\":\"a\\n\\\"b\\\" ä 😀\"}}]}"
                              << "a\n\"b\" ä 😀";
        QTest::newRow("parts")
            << chat
            << R"({"choices":[{"message":{"content":[{"type":"text","text":"a"},{"text":"b"}]}}]})"
            << "ab";
        QTest::newRow("reasoning is no answer")
            << chat
            << R"({"choices":[{"message":{"reasoning_content":"hm","content":"a","tool_calls":[]}}]})"
            << "a";
        QTest::newRow("a call")
            << chat << R"({"choices":[{"message":{"content":"a","tool_calls":[{"id":"1"}]}}]})"
            << "(more than text)";
        QTest::newRow("two choices")
            << chat
            << R"({"choices":[{"message":{"content":"a"}},{"index":1,"message":{"content":"b"}}]})"
            << "(more than text)";
        QTest::newRow("no JSON") << chat << "<html>"
                                 << "(more than text)";
        QTest::newRow("blocks")
            << Api::Messages
            << R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]})"
            << "a";
        QTest::newRow("a tool's block")
            << Api::Messages
            << R"({"content":[{"type":"text","text":"a"},{"type":"tool_use","input":{}}]})"
            << "(more than text)";
        QTest::newRow("another API") << Api::Responses << R"({"output":[]})"
                                     << "(more than text)";
    }

    void readsDocuments()
    {
        QFETCH(Api, api);
        QFETCH(QString, body);
        QFETCH(QString, text);
        AnswerText answer(api, kMax);
        answer.readDocument(Padded(body.toStdString()).view());
        QCOMPARE(found(answer), text);
    }

    void readsStreams_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QString>("text");

        const Api chat = Api::ChatCompletions;
        QTest::newRow("chunks") << chat
                                << chunk(R"({"role":"assistant","content":""})") +
                                       chunk(R"({"content":"a\u00e4"})") +
                                       chunk(R"({"content":" b"})") + chunk("{}") +
                                       "data: [DONE]\n\n"
                                << "aä b";
        // A character in two pieces is whole where both are.
        QTest::newRow("half a surrogate each")
            << chat << chunk(R"({"content":"\ud83d"})") + chunk(R"({"content":"\ude00"})") << "😀";
        QTest::newRow("reasoning")
            << chat << chunk(R"({"reasoning":"hm"})") + chunk(R"({"content":"a"})") << "a";
        QTest::newRow("a call") << chat
                                << chunk(R"({"content":"a"})") +
                                       chunk(R"({"tool_calls":[{"index":0}]})")
                                << "(more than text)";
        QTest::newRow("another choice")
            << chat << chunk(R"({"content":"a"})") + chunk(R"({"content":"b"})", 1)
            << "(more than text)";
        QTest::newRow("blocks")
            << Api::Messages
            << eventOf(R"({"type":"message_start","message":{"content":[]}})") +
                   eventOf(
                       R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking"}})") +
                   eventOf(
                       R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta"}})") +
                   eventOf(
                       R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})") +
                   eventOf(
                       R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}})") +
                   eventOf(R"({"type":"content_block_stop","index":1})")
            << "a";
        QTest::newRow("a tool's block")
            << Api::Messages
            << eventOf(R"({"type":"content_block_start","content_block":{"type":"tool_use"}})")
            << "(more than text)";
        QTest::newRow("too long") << chat
                                  << chunk(R"({"content":"a"})") +
                                         chunk(('{' + QByteArray(R"("content":")") +
                                                QByteArray(3000, 'x') + "\"}")
                                                   .constData())
                                             .repeated(2)
                                  << "(too long)";
    }

    void readsStreams()
    {
        QFETCH(Api, api);
        QFETCH(QByteArray, events);
        QFETCH(QString, text);
        for (const qsizetype piece : {events.size(), qsizetype{7}, qsizetype{1}})
            QCOMPARE(streamed(api, events, piece), text);
    }

    void knowsARefusalByTheProtocolsWord()
    {
        AnswerText answer(Api::ChatCompletions, kMax);
        answer.readDocument(
            Padded(R"({"choices":[{"message":{"content":null,"refusal":"I will not."}}]})").view());
        QVERIFY(answer.isRefusal());
        QCOMPARE(found(answer), QString("I will not."));
        AnswerText plain(Api::ChatCompletions, kMax);
        plain.readDocument(
            Padded(R"({"choices":[{"message":{"content":"a","refusal":null}}]})").view());
        QVERIFY(!plain.isRefusal());
    }
};

QTEST_APPLESS_MAIN(TestAnswerText)
#include "tst_answer_text.moc"
