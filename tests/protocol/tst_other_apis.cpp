// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/splice.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

RequestFacts factsOf(Api api, const std::string& body)
{
    const Padded padded{body};
    const auto facts = readRequest(api, padded.view());
    if (!facts) qFatal("%s", facts.error().message.c_str());
    return *facts;
}

RequestFacts withInput(const std::string& items)
{
    return factsOf(Api::Responses, R"({"model":"m","input":)" + items + "}");
}

RequestFacts withMembers(const std::string& members)
{
    return factsOf(Api::Responses, R"({"model":"m","input":"hi",)" + members + "}");
}

} // namespace

/// What is read of the requests that are passed through: Responses and Embeddings; and of state
/// that a provider would hold.
class TestOtherApis final : public QObject
{
    Q_OBJECT

private slots:
    void readsTheBasics();
    void refuses_data();
    void refuses();
    void findsStateOfTheProvider_data();
    void findsStateOfTheProvider();
    void refusesThreadsOfMessages();
    void readsNeeds_data();
    void readsNeeds();
    void hashesThePrompt();
    void countsThePrompt_data();
    void countsThePrompt();
    void changesNothingButTheModel();
};

void TestOtherApis::readsTheBasics()
{
    const RequestFacts facts = factsOf(
        Api::Responses,
        R"({"model":"m:nitro","input":"hi","stream":true,"max_output_tokens":50,"max_tokens":7,)"
        R"("prompt_cache_key":"k","provider":{"only":["p"]}})");
    QCOMPARE(shown(facts.model), QString("m"));
    QCOMPARE(shown(facts.sortSuffix), QString("speed"));
    QCOMPARE(shown(facts.conversationHint), QString("k"));
    QCOMPARE(facts.wishes.only.size(), std::size_t{1});
    QVERIFY(facts.stream);
    QVERIFY(!facts.singleShot);
    QCOMPARE(facts.maxTokens.value_or(0), 50);
    QVERIFY(!facts.usageEdit);
    const RequestFacts embeddings =
        factsOf(Api::Embeddings, R"({"input":["a","b"],"model":"e","stream":true,"max_tokens":7})");
    QCOMPARE(shown(embeddings.model), QString("e"));
    QVERIFY(!embeddings.stream);
    QVERIFY(!embeddings.maxTokens);
}

void TestOtherApis::refuses_data()
{
    QTest::addColumn<bool>("embeddings");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("param");
    QTest::newRow("no input") << false << R"({"model":"m","messages":[]})"
                              << "input";
    QTest::newRow("a number") << false << R"({"model":"m","input":7})"
                              << "input";
    QTest::newRow("items that are none") << false << R"({"model":"m","input":["a"]})"
                                         << "input";
    QTest::newRow("stream") << false << R"({"model":"m","input":"a","stream":"yes"})"
                            << "stream";
    QTest::newRow("nothing to embed") << true << R"({"model":"m"})"
                                      << "input";
    QTest::newRow("a model that is null") << false << R"({"model":null,"input":"a"})"
                                          << "model";
    QTest::newRow("no model's name") << true << R"({"model":7,"input":"a"})"
                                     << "model";
}

void TestOtherApis::refuses()
{
    QFETCH(bool, embeddings);
    QFETCH(QString, body);
    QFETCH(QString, param);
    const Padded padded{body.toStdString()};
    const auto facts = readRequest(embeddings ? Api::Embeddings : Api::Responses, padded.view());
    QVERIFY(!facts);
    QCOMPARE(facts.error().status, 400);
    QCOMPARE(shown(facts.error().param), param);
}

void TestOtherApis::findsStateOfTheProvider_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<bool>("found");
    const auto row = [](const char* members, bool found) {
        QTest::newRow(members) << QString(members) << found;
    };
    row(R"("input":[{"type":"reasoning","summary":[],"encrypted_content":"e"}])", true);
    row(R"("input":[{"type":"reasoning","summary":[],"encrypted_content":null}])", false);
    row(R"("input":[{"role":"user","content":"hi"}])", false);
    row(R"("input":[{"type":"item_reference","id":"msg_1"}])", true);
    row(R"("input":"hi","previous_response_id":"resp_1")", true);
    row(R"("input":"hi","previous_response_id":null)", false);
    row(R"("input":"hi","conversation":{"id":"conv_1"})", true);
    row(R"("conversation":null,"input":"hi")", false);
}

void TestOtherApis::findsStateOfTheProvider()
{
    QFETCH(QString, members);
    QFETCH(bool, found);
    const RequestFacts facts = factsOf(Api::Responses, "{" + members.toStdString() + "}");
    QCOMPARE(facts.singleShot, found);
}

void TestOtherApis::readsNeeds_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("needs");
    const auto row = [](const char* members, const char* needs) {
        QTest::newRow(members) << QString(members) << QString(needs);
    };
    row(R"("tools":[{"type":"function","name":"f"}])", "tools");
    row(R"("tools":[])", "");
    row(R"("text":{"format":{"type":"json_schema","name":"n","schema":{}}})", "schema");
    row(R"("text":{"verbosity":"low","format":{"type":"text"}})", "");
    row(R"("text":"json_schema")", "");
    row(R"("input":[{"role":"user","content":[{"type":"input_image","image_url":"u"}]}])",
        "images");
    row(R"("input":[{"role":"user","content":[{"type":"input_text","text":"input_image"}]}])", "");
}

void TestOtherApis::readsNeeds()
{
    QFETCH(QString, members);
    QFETCH(QString, needs);
    const Needs expected{needs == "tools", needs == "images", needs == "schema"};
    QVERIFY(withMembers(members.toStdString()).needs == expected);
}

void TestOtherApis::hashesThePrompt()
{
    const auto plain = withInput(R"("hi")").promptHash;
    QVERIFY(plain != withInput(R"("ho")").promptHash);
    // Another way to write the same, and what comes later.
    QCOMPARE(withInput(R"([{"role":"user","content":"hi"}])").promptHash, plain);
    QCOMPARE(
        withInput(
            R"([{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},)"
            R"({"role":"assistant","content":"yes"},{"role":"user","content":"on"}])")
            .promptHash,
        plain);
    // Instructions are the system's text.
    const auto instructed = withMembers(R"("instructions":"s")").promptHash;
    QVERIFY(instructed != plain);
    QCOMPARE(withMembers(R"("instructions":null)").promptHash, plain);
    // Texts to be embedded are no conversation: other texts may go elsewhere.
    const auto embedded = [](const char* input) {
        return factsOf(Api::Embeddings, std::string{R"({"model":"e","input":)"} + input + "}")
            .promptHash;
    };
    QVERIFY(embedded(R"(["a"])") != embedded(R"(["b"])"));
    QVERIFY(embedded(R"("a")") != embedded(R"("b")"));
    QVERIFY(embedded("[[1,2]]") != embedded("[[1,3]]"));
}

void TestOtherApis::countsThePrompt_data()
{
    QTest::addColumn<int>("api");
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<int>("bytes");
    const auto row = [](const char* name, Api api, const char* members, int bytes) {
        QTest::newRow(name) << static_cast<int>(api) << QByteArray(members) << bytes;
    };
    row("string", Api::Responses, R"("input":"four")", 4);
    row("as written", Api::Responses, R"("input":"\u00e9\n")", 8);
    row("items", Api::Responses, R"("input":[{"role":"user","content":"four"}])", 4);
    row("instructions", Api::Responses, R"("instructions":"be","input":"four")", 6);
    row("instructions behind", Api::Responses, R"("input":"four","instructions":"be")", 6);
    row("to embed", Api::Embeddings, R"("input":"four")", 4);
    row("texts to embed", Api::Embeddings, R"("input":["one","three","two"])", 5);
    row("tokens to embed", Api::Embeddings, R"("input":[1,2,3])", 0);
    row("lists of tokens to embed", Api::Embeddings, R"("input":[[1,2],[3]])", 0);
}

void TestOtherApis::countsThePrompt()
{
    QFETCH(int, api);
    QFETCH(QByteArray, members);
    QFETCH(int, bytes);
    const std::string body = "{\"model\":\"m\"," + members.toStdString() + "}";
    QCOMPARE(factsOf(static_cast<Api>(api), body).shape.textBytes(), std::int64_t{bytes});
}

void TestOtherApis::changesNothingButTheModel()
{
    const std::string body =
        R"({ "input":[{"type":"reasoning","encrypted_content":"e"}],"stream":true, "model":"m",)"
        R"("max_tokens":1,"max_completion_tokens":2,"models":["n"],"x":1e2})";
    const Padded padded{body};
    const auto facts = readRequest(Api::Responses, padded.view());
    QVERIFY(facts);
    const auto splices =
        upstreamSplices(Protocol::OpenAi, *facts, "up", true, "max_completion_tokens");
    std::vector<std::string_view> pieces;
    appendPieces(padded.view(), splices, pieces);
    std::string out;
    for (const std::string_view piece : pieces)
        out += piece;
    const std::string expected =
        R"({ "input":[{"type":"reasoning","encrypted_content":"e"}],"stream":true, "model":"up",)"
        R"("max_tokens":1,"max_completion_tokens":2,"x":1e2})";
    QCOMPARE(shown(out), shown(expected));
}

// Unlike what Responses may continue, Anthropic's threads can be done without, and its SDKs do.
void TestOtherApis::refusesThreadsOfMessages()
{
    const auto read = [](const std::string& thread) {
        const std::string messages = R"({"messages":[{"role":"user","content":"hi"}],)";
        const Padded padded{messages + "\"thread\":" + thread + "}"};
        return readRequest(Api::Messages, padded.view());
    };
    QVERIFY(read("null"));
    for (const char* thread : {R"({"type":"create"})", R"({"type":"continue"})", "1"}) {
        const auto facts = read(thread);
        QVERIFY(!facts);
        QCOMPARE(facts.error().status, 400);
        QCOMPARE(shown(facts.error().param), QString("thread"));
        QCOMPARE(shown(facts.error().anthropicCode), QString("thread_unsupported_request"));
    }
}

QTEST_APPLESS_MAIN(TestOtherApis)
#include "tst_other_apis.moc"
