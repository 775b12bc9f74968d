// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/request.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <random>
#include <string>

using namespace weir;
using namespace weir::protocol;

namespace {

PromptShape shapeOf(Api api, const std::string& body)
{
    const Padded padded{body};
    const auto facts = readRequest(api, padded.view());
    return facts ? facts->shape : PromptShape{-1, -1, -1, -1, -1};
}

} // namespace

class TestPromptShape final : public QObject
{
    Q_OBJECT

private slots:
    void seesWhatAPromptIsMadeOf_data();
    void seesWhatAPromptIsMadeOf();
    void countsBytesAsOneByOne();
    void estimatesTokens();
    void theLeastIsNeverMoreThanTheEstimate();
};

void TestPromptShape::seesWhatAPromptIsMadeOf_data()
{
    QTest::addColumn<int>("api");
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("shape");
    const auto row = [](const char* name, Api api, const char* members, const char* shape) {
        QTest::newRow(name) << static_cast<int>(api) << QByteArray(members) << QByteArray(shape);
    };
    const auto chat = [&row](const char* name, const char* members, const char* shape) {
        row(name, Api::ChatCompletions, members, shape);
    };
    const auto anthropic = [&row](const char* name, const char* members, const char* shape) {
        row(name, Api::Messages, members, shape);
    };
    // ASCII, other, tools, images, messages.
    chat("no message", R"("messages":[])", "0 0 0 0 0");
    chat(
        "texts",
        R"("messages":[{"role":"system","content":"be"},{"content":"four"}])",
        "6 0 0 0 2");
    chat("letters", R"("messages":[{"content":"naïve 模型"}])", "5 8 0 0 1");
    chat("as written", R"("messages":[{"content":"\u00e9\n"}])", "8 0 0 0 1");
    chat(
        "parts",
        R"("messages":[{"content":[{"type":"text","text":"a"},{"text":"é"}]}])",
        "1 2 0 0 1");
    chat(
        "pictures",
        R"("messages":[{"content":[{"type":"image_url","image_url":{"url":"data:AAAA"}},)"
        R"({"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"see"}]}])",
        "3 0 0 2 1");
    chat("tools", R"("tools":[{"name":"f"}, {"name":"é"} ],"messages":[])", "0 0 25 0 0");
    chat("tools behind", R"("messages":[{"content":"a"}],"functions":[{}])", "1 0 2 0 1");
    chat(
        "calls",
        R"("messages":[{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},)"
        R"({"role":"tool","content":"sunny"}])",
        "5 0 4 0 2");
    anthropic("system", R"("system":"be","messages":[{"content":"four"}])", "6 0 0 0 1");
    anthropic(
        "blocks",
        R"("messages":[{"content":[{"type":"tool_use","id":"1","name":"f","input":{"a":1}}]},)"
        R"({"content":[{"type":"tool_result","content":[{"type":"text","text":"sunny"},)"
        R"({"type":"image","source":{"data":"AAAA"}}]}]}],"tools":[{"name":"f"}])",
        "5 0 19 1 2");
    row("responses", Api::Responses, R"("input":"four","instructions":"be")", "6 0 0 0 1");
    row("items",
        Api::Responses,
        R"("input":[{"type":"function_call","arguments":"{}"},)"
        R"({"type":"function_call_output","output":"sunny"},)"
        R"({"type":"function_call_output","output":[{"type":"input_text","text":"dry"}]}])",
        "8 0 4 0 3");
    row("to embed", Api::Embeddings, R"("input":["one","three","zwölf"])", "4 2 0 0 1");
}

void TestPromptShape::seesWhatAPromptIsMadeOf()
{
    QFETCH(int, api);
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, shape);
    const std::string body = "{\"model\":\"m\"," + members.toStdString() + "}";
    const PromptShape found = shapeOf(static_cast<Api>(api), body);
    const QByteArray text = QByteArray::number(qint64{found.asciiBytes}) + ' ' +
                            QByteArray::number(qint64{found.otherBytes}) + ' ' +
                            QByteArray::number(qint64{found.toolBytes}) + ' ' +
                            QByteArray::number(qint64{found.images}) + ' ' +
                            QByteArray::number(qint64{found.messages});
    QCOMPARE(text, shape);
}

/// The fast count against the plain one, at every length and alignment.
void TestPromptShape::countsBytesAsOneByOne()
{
    std::minstd_rand random(7);
    std::string bytes(9000, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random() % 256);
    for (std::size_t i = 2500; i < 6500; ++i)
        bytes[i] = '\xE6';
    for (std::size_t size = 0; size < bytes.size(); size = size < 80 ? size + 1 : size * 2 - 3) {
        for (std::size_t from = 0; from < 9; ++from) {
            const std::string_view text = std::string_view(bytes).substr(from, size);
            std::int64_t other = 0;
            for (const char byte : text)
                other += static_cast<unsigned char>(byte) >= 0x80 ? 1 : 0;
            PromptShape shape;
            shape.addText(text);
            QCOMPARE(shape.otherBytes, other);
            QCOMPARE(shape.textBytes(), static_cast<std::int64_t>(text.size()));
        }
    }
}

void TestPromptShape::estimatesTokens()
{
    QCOMPARE(promptEstimate({}), 0);
    QCOMPARE(promptEstimate({1, 0, 0, 0, 0}), 1);
    QCOMPARE(promptEstimate({40'000, 0, 0, 0, 1}), 10'004);
    QCOMPARE(promptEstimate({0, 30'000, 0, 0, 0}), 9990);
    QCOMPARE(promptEstimate({0, 0, 10'000, 0, 0}), 2800);
    QCOMPARE(promptEstimate({400, 0, 0, 3, 2}), 3108);
}

void TestPromptShape::theLeastIsNeverMoreThanTheEstimate()
{
    std::minstd_rand random(11);
    for (int i = 0; i < 10'000; ++i) {
        const auto size = [&random] { return static_cast<std::int64_t>(random() % 1'000'000); };
        const PromptShape shape{size(), size(), size(), size() % 20, size() % 200};
        QVERIFY(promptTokensMin(shape) <= promptEstimate(shape));
    }
}

QTEST_APPLESS_MAIN(TestPromptShape)
#include "tst_prompt_shape.moc"
