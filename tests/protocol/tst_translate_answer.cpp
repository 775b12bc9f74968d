// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"
#include "agent/protocol/translate_answer.h"
#include "agent/protocol/translate_request.h"
#include "tests/protocol/stream_promises.h"
#include "tests/protocol/streams.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <map>
#include <random>
#include <string>

using namespace weir;
using namespace weir::protocol;
using nlohmann::ordered_json;

namespace {

constexpr UtcTime kNow{std::chrono::seconds{1796032800}};

std::string translatedWhole(Protocol from, const ordered_json& answer)
{
    const Padded body{answer.dump()};
    return translateAnswer(from, body.view(), kNow).value_or("");
}

std::string translatedStream(Protocol from, const std::string& stream)
{
    StreamReader::Options options;
    options.translateTo = from == kOpenAi ? kAnthropic : kOpenAi;
    Reading reading{from, options};
    reading.feed(stream).end();
    std::vector<std::string_view> relay;
    reading.reader.finish(relay);
    for (const std::string_view piece : relay)
        reading.relayed += piece;
    return reading.relayed;
}

/// What one of the client's streams says, event by event.
std::vector<ordered_json> eventsOf(const std::string& stream)
{
    std::vector<ordered_json> events;
    SseFramer framer{stream.size() + 1};
    framer.feed(stream);
    SseEvent event;
    while (framer.next(event)) {
        if (event.data != "[DONE]") events.push_back(ordered_json::parse(event.data));
    }
    return events;
}

/// An OpenAI client's message out of a stream, as their SDKs put it together.
ordered_json messageOf(const std::string& stream)
{
    ordered_json message = {{"role", "assistant"}};
    std::string content;
    for (const ordered_json& chunk : eventsOf(stream)) {
        if (chunk["choices"].empty()) continue;
        const ordered_json& delta = chunk["choices"][0]["delta"];
        content += delta.value("content", "");
        if (delta.contains("reasoning_details")) {
            for (const ordered_json& detail : delta["reasoning_details"])
                message["reasoning_details"].push_back(detail);
        }
        if (!delta.contains("tool_calls")) continue;
        for (ordered_json call : delta["tool_calls"]) {
            const std::size_t index = call["index"];
            call.erase("index");
            if (call.contains("id")) {
                message["tool_calls"].push_back(call);
            } else {
                std::string& arguments =
                    message["tool_calls"][index]["function"]["arguments"].get_ref<std::string&>();
                arguments += call["function"]["arguments"].get<std::string>();
            }
        }
    }
    message["content"] = content;
    return message;
}

/// What Anthropic is sent back as the content of that message.
ordered_json contentOf(ordered_json message)
{
    message.erase("reasoning_content");
    ordered_json messages = {{{"role", "user"}, {"content", "go"}}, message};
    for (const ordered_json& call : message["tool_calls"])
        messages.push_back({{"role", "tool"}, {"tool_call_id", call["id"]}, {"content", "1"}});
    const ordered_json request = {{"model", "m"}, {"max_tokens", 9}, {"messages", messages}};
    const Padded body{request.dump()};
    json::Tree tree;
    if (!tree.readPadded(body.view())) return {};
    TranslationTarget target;
    target.protocol = kAnthropic;
    target.upstreamModel = "m";
    const auto upstream = translateRequest(kOpenAi, tree.root(), target);
    if (!upstream) return upstream.error().message;
    return ordered_json::parse(*upstream)["messages"][1]["content"];
}

/// The stream that Anthropic would have sent of an answer.
std::string streamOf(const ordered_json& answer)
{
    std::string stream = sseEvent("message_start", R"(,"message":{"id":"msg_1","model":"m"})");
    int index = 0;
    for (ordered_json block : answer["content"]) {
        std::vector<ordered_json> deltas;
        if (block["type"] == "text") {
            deltas.push_back({{"type", "text_delta"}, {"text", block["text"]}});
            block["text"] = "";
        } else if (block["type"] == "thinking") {
            deltas.push_back({{"type", "thinking_delta"}, {"thinking", block["thinking"]}});
            deltas.push_back({{"type", "signature_delta"}, {"signature", block["signature"]}});
            block["thinking"] = "";
            block["signature"] = "";
        } else if (block["type"] == "tool_use") {
            deltas.push_back(
                {{"type", "input_json_delta"}, {"partial_json", block["input"].dump()}});
            block["input"] = ordered_json::object();
        }
        const std::string at = ",\"index\":" + std::to_string(index++);
        stream += sseEvent("content_block_start", at + ",\"content_block\":" + block.dump());
        for (const ordered_json& delta : deltas)
            stream += sseEvent("content_block_delta", at + ",\"delta\":" + delta.dump());
        stream += sseEvent("content_block_stop", at);
    }
    return stream + sseEvent("message_delta", R"(,"delta":{"stop_reason":"tool_use"})") +
           sseEvent("message_stop", "");
}

} // namespace

class TestTranslateAnswer : public QObject
{
    Q_OBJECT

private slots:
    void wordsOfTheEnd_data();
    void wordsOfTheEnd();
    void signedThinkingComesBack_data();
    void signedThinkingComesBack();
    void anyChunksMakeAStream();
};

// Wire case B077: one table for streams and whole answers.
void TestTranslateAnswer::wordsOfTheEnd_data()
{
    QTest::addColumn<bool>("fromAnthropic");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("told");
    QTest::addColumn<QString>("toldWithCall");
    const auto row = [](bool from, const char* given, const char* told, const char* withCall) {
        QTest::addRow("%s %s", from ? "Anthropic" : "OpenAI", given)
            << from << QString(given) << QString(told) << QString(withCall);
    };
    row(true, "end_turn", "stop", "tool_calls");
    row(true, "stop_sequence", "stop", "tool_calls");
    row(true, "pause_turn", "stop", "tool_calls");
    row(true, "max_tokens", "length", "length");
    row(true, "model_context_window_exceeded", "length", "length");
    row(true, "tool_use", "stop", "tool_calls");
    row(true, "refusal", "content_filter", "content_filter");
    row(true, "never_heard_of", "stop", "tool_calls");
    row(false, "stop", "end_turn", "tool_use");
    row(false, "length", "max_tokens", "max_tokens");
    row(false, "tool_calls", "end_turn", "tool_use");
    row(false, "function_call", "end_turn", "tool_use");
    row(false, "content_filter", "refusal", "refusal");
    row(false, "", "end_turn", "tool_use");
    row(false, "never_heard_of", "end_turn", "tool_use");
}

void TestTranslateAnswer::wordsOfTheEnd()
{
    QFETCH(bool, fromAnthropic);
    QFETCH(QString, given);
    QFETCH(QString, told);
    QFETCH(QString, toldWithCall);
    const std::string word = given.toStdString();
    for (const bool hasCall : {false, true}) {
        const QString expected = hasCall ? toldWithCall : told;
        if (fromAnthropic) {
            ordered_json answer = {{"content", {{{"type", "text"}, {"text", "x"}}}}};
            if (hasCall) answer["content"] = {{{"type", "tool_use"}, {"name", "f"}}};
            answer["stop_reason"] = word;
            const auto whole = ordered_json::parse(translatedWhole(kAnthropic, answer));
            QCOMPARE(shown(whole["choices"][0].value("finish_reason", "")), expected);
            std::string stream = streamOf(answer);
            stream.replace(stream.rfind("tool_use"), 8, word);
            const auto events = eventsOf(translatedStream(kAnthropic, stream));
            QCOMPARE(shown(events.back()["choices"][0].value("finish_reason", "")), expected);
            continue;
        }
        ordered_json message = {{"content", "x"}};
        if (hasCall) message = {{"tool_calls", {{{"index", 0}, {"function", {{"name", "f"}}}}}}};
        ordered_json choice = {{"message", message}, {"finish_reason", word}};
        const auto whole = ordered_json::parse(translatedWhole(kOpenAi, {{"choices", {choice}}}));
        QCOMPARE(shown(whole.value("stop_reason", "")), expected);
        choice = {{"delta", message}, {"finish_reason", word}};
        const std::string chunk = "data: " + ordered_json{{"choices", {choice}}}.dump() + "\n\n";
        const auto events = eventsOf(translatedStream(kOpenAi, chunk + kDone));
        QCOMPARE(shown(events.at(events.size() - 2)["delta"].value("stop_reason", "")), expected);
    }
}

// Wire cases B078, B079: through an OpenAI client and back, thinking keeps its place, its number
// and its signatures; texts that stood apart become one.
void TestTranslateAnswer::signedThinkingComesBack_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("back");
    const auto row = [](const char* name, const char* content, const char* back) {
        QTest::newRow(name) << QByteArray(content) << QByteArray(back);
    };
    const auto same = [&row](const char* name, const char* content) {
        row(name, content, content);
    };
    same(
        "each kind",
        R"([{"type":"thinking","thinking":"a","signature":"s1"},{"type":"text","text":"t"},)"
        R"({"type":"thinking","thinking":"b","signature":"s2"},)"
        R"({"type":"redacted_thinking","data":"r"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{"zebra":1,"apple":"\n"}}])");
    same(
        "between calls",
        R"([{"type":"thinking","thinking":"a","signature":"s1"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}},)"
        R"({"type":"thinking","thinking":"","signature":"s2"},)"
        R"({"type":"tool_use","id":"toolu_2","name":"g","input":{}}])");
    row("two texts",
        R"([{"type":"text","text":"t"},{"type":"text","text":"u"},)"
        R"({"type":"thinking","thinking":"a","signature":"s1"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}}])",
        R"([{"type":"text","text":"tu"},{"type":"thinking","thinking":"a","signature":"s1"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}}])");
    row("left out",
        R"([{"type":"thinking","thinking":"u","signature":""},)"
        R"({"type":"server_tool_use","id":"s","name":"web_search","input":{}},)"
        R"({"type":"redacted_thinking","data":"r"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}}])",
        R"([{"type":"redacted_thinking","data":"r"},)"
        R"({"type":"tool_use","id":"toolu_1","name":"f","input":{}}])");
}

void TestTranslateAnswer::signedThinkingComesBack()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, back);
    const ordered_json answer = {
        {"id", "msg_1"},
        {"content", ordered_json::parse(content.toStdString())},
        {"stop_reason", "tool_use"}};
    const auto whole = ordered_json::parse(translatedWhole(kAnthropic, answer));
    QCOMPARE(shown(contentOf(whole["choices"][0]["message"]).dump()), QString(back));
    const std::string stream = translatedStream(kAnthropic, streamOf(answer));
    QCOMPARE(shown(contentOf(messageOf(stream)).dump()), QString(back));
}

// Chunks in any order, with calls that interleave and members that are missing: the client gets a
// proper stream, every text in order, and every call's arguments whole.
void TestTranslateAnswer::anyChunksMakeAStream()
{
    std::mt19937 random(7);
    const auto below = [&random](std::size_t bound) { return random() % bound; };
    for (int round = 0; round < 500; ++round) {
        std::string stream;
        std::string text;
        std::map<std::size_t, std::string> left;
        std::map<std::string, std::string> inputs;
        for (std::size_t chunk = 0; chunk < 30; ++chunk) {
            ordered_json delta = ordered_json::object();
            const std::size_t index = below(3);
            const std::string piece = std::to_string(below(1000));
            if (below(4) == 0) {
                delta["content"] = piece;
                text += piece;
            } else if (below(4) == 0) {
                delta["reasoning"] = piece;
            } else if (!left.contains(index)) {
                const std::string id = "call_" + std::to_string(index);
                inputs[id] = R"({"a":")" + piece + R"(}","b":[1,{}]})";
                left[index] = inputs[id];
                delta["tool_calls"] = {
                    {{"index", index}, {"id", id}, {"function", {{"name", "f"}}}}};
            } else {
                const std::string part = left[index].substr(0, 1 + below(6));
                left[index].erase(0, part.size());
                delta["tool_calls"] = {{{"index", index}, {"function", {{"arguments", part}}}}};
            }
            stream += "data: " + ordered_json{{"choices", {{{"delta", delta}}}}}.dump() + "\n\n";
        }
        for (const auto& [index, rest] : left) {
            const ordered_json call = {{"index", index}, {"function", {{"arguments", rest}}}};
            stream += "data: " +
                      ordered_json{{"choices", {{{"delta", {{"tool_calls", {call}}}}}}}}.dump() +
                      "\n\n";
        }
        const std::string translated = translatedStream(kOpenAi, stream + kStop + kDone);
        const auto broken = promises::broken(kAnthropic, translated, true);
        QVERIFY2(!broken, (broken.value_or("") + "\n" + stream).c_str());
        std::string seenText;
        std::map<std::string, std::string> seenInputs;
        std::string open;
        for (const ordered_json& event : eventsOf(translated)) {
            if (event["type"] == "content_block_start")
                open = event["content_block"].value("id", "");
            if (event["type"] != "content_block_delta") continue;
            seenText += event["delta"].value("text", "");
            if (!open.empty()) seenInputs[open] += event["delta"].value("partial_json", "");
        }
        QCOMPARE(shown(seenText), shown(text));
        QVERIFY2(seenInputs == inputs, (stream + translated).c_str());
    }
}

QTEST_APPLESS_MAIN(TestTranslateAnswer)
#include "tst_translate_answer.moc"
