// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/request.h"
#include "tests/protocol/padded.h"

#include <QTest>

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr auto kOpenAi = Protocol::OpenAi;
constexpr auto kAnthropic = Protocol::Anthropic;

/// Facts of a body that must be readable; offsets refer to `body`.
RequestFacts factsOf(Protocol protocol, std::string_view body)
{
    const Padded padded{body};
    const auto facts = readRequest(conversationApi(protocol), padded.view());
    if (!facts) qFatal("%s", facts.error().message.c_str());
    return *facts;
}

/// A body with these members besides an empty list of messages.
RequestFacts withMembers(Protocol protocol, const std::string& members)
{
    return factsOf(protocol, R"({"messages":[],)" + members + "}");
}

RequestFacts withMessages(Protocol protocol, const std::string& messages)
{
    return factsOf(protocol, R"({"model":"m","messages":[)" + messages + "]}");
}

} // namespace

class TestRequest : public QObject
{
    Q_OBJECT

private slots:
    void readsTheBasics();
    void comparesUnescaped();
    void readsSortSuffix_data();
    void readsSortSuffix();
    void refuses_data();
    void refuses();
    void keepsAllModelPlaces();
    void readsNeeds_data();
    void readsNeeds();
    void findsIssuersState_data();
    void findsIssuersState();
    void readsMaxTokens_data();
    void readsMaxTokens();
    void readsConversationHint();
    void hashesPrompt();
    void hashIgnoresWhatComesLater();
    void readsStreamOptions();
    void leavesOddValuesToTheUpstream();
    void survivesDeepNesting();
    void readsLargeBodies();
};

void TestRequest::readsTheBasics()
{
    const std::string body =
        R"( { "model" : "glm-5.2" , "stream":true,"messages":[{"role":"user","content":"hi"}]} )";
    const RequestFacts facts = factsOf(kOpenAi, body);
    QCOMPARE(shown(facts.model), QString("glm-5.2"));
    QVERIFY(facts.sortSuffix.empty());
    QVERIFY(facts.stream);
    QVERIFY(!facts.wantsUsage);
    QVERIFY(!facts.singleShot);
    QVERIFY(facts.needs == Needs{});
    QVERIFY(!facts.maxTokens);
    QVERIFY(facts.hasMembers);
    QCOMPARE(facts.membersAt, std::size_t{2});
    QCOMPARE(facts.modelValues.size(), std::size_t{1});
    const Span model = facts.modelValues.front();
    QCOMPARE(shown(body.substr(model.at, model.size)), QString("\"glm-5.2\""));
    const RequestFacts bare = factsOf(kAnthropic, R"({"messages":[],"stream":null})");
    QVERIFY(bare.model.empty());
    QVERIFY(bare.modelValues.empty());
    QVERIFY(!bare.stream);
}

void TestRequest::comparesUnescaped()
{
    const RequestFacts facts = factsOf(
        kOpenAi,
        R"({"mod\u0065l":"gl\u006d\/\u00e9\ud83c\udf0d","m\u0065ssages":[],"\u0073tream":true})");
    QCOMPARE(shown(facts.model), QString::fromUtf8("glm/é🌍"));
    QVERIFY(facts.stream);
}

void TestRequest::readsSortSuffix_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("sort");
    QTest::newRow("none") << "m"
                          << "m"
                          << "";
    QTest::newRow("floor") << "m:floor"
                           << "m"
                           << "price";
    QTest::newRow("nitro") << "a/m:nitro"
                           << "a/m"
                           << "speed";
    QTest::newRow("other") << "m:free"
                           << "m:free"
                           << "";
    QTest::newRow("only one") << "m:nitro:floor"
                              << "m:nitro"
                              << "price";
    QTest::newRow("nothing but") << ":floor"
                                 << ""
                                 << "price";
}

void TestRequest::readsSortSuffix()
{
    QFETCH(QString, given);
    QFETCH(QString, model);
    QFETCH(QString, sort);
    const RequestFacts facts = withMembers(kOpenAi, "\"model\":\"" + given.toStdString() + "\"");
    QCOMPARE(shown(facts.model), model);
    QCOMPARE(shown(facts.sortSuffix), sort);
}

void TestRequest::refuses_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("param");
    const auto row = [](const char* body, const char* param) {
        QTest::newRow(body) << QByteArray(body) << QString(param);
    };
    row("", "");
    row("   ", "");
    row("nonsense", "");
    row("[]", "");
    row("\"text\"", "");
    row("12", "");
    row("null", "");
    row("{", "");
    row("{}", "messages");
    row(R"({"model":"m"})", "messages");
    row(R"({"model":"m","messages":{}})", "messages");
    row(R"({"model":"m","messages":"hi"})", "messages");
    row(R"({"model":"m","messages":null})", "messages");
    row(R"({"model":"m","messages":["hi"]})", "messages");
    row(R"({"model":1,"messages":[]})", "model");
    row(R"({"model":null,"messages":[]})", "model");
    row(R"({"model":["m"],"messages":[]})", "model");
    row(R"({"model":"\ud800","messages":[]})", "model");
    row(R"({"messages":[],"stream":"yes"})", "stream");
    row(R"({"messages":[],"stream":1})", "stream");
    row(R"({"messages":[]} x)", "");
    row(R"({"messages":[]}{"messages":[]})", "");
    row(R"({"messages":[],})", "");
    row(R"({"messages":[] "model":"m"})", "");
    row(R"({"messages" []})", "");
    row(R"({"messages":[}])", "");
    row(R"({"messages":[{"role":"user" "content":"x"}]})", "");
    row(R"({"messages":[],"x":"open)", "");
    row("{\"messages\":[],\"x\":\"\xFF\"}", "");
    row("{\"messages\":[],\"x\":\"a\nb\"}", "");
    row("<html></html>", "");
}

void TestRequest::refuses()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, param);
    for (const Protocol protocol : {kOpenAi, kAnthropic}) {
        const Padded padded{{body.data(), static_cast<std::size_t>(body.size())}};
        const auto facts = readRequest(conversationApi(protocol), padded.view());
        QVERIFY(!facts);
        QCOMPARE(facts.error().status, 400);
        QCOMPARE(shown(facts.error().type), QString("invalid_request_error"));
        QCOMPARE(shown(facts.error().param), param);
        QVERIFY(shown(facts.error().message).contains(param));
        QVERIFY(!facts.error().message.empty());
    }
}

void TestRequest::keepsAllModelPlaces()
{
    const std::string body = R"({"model":"a","messages":[{"model":"no"}],"model":"b"})";
    const RequestFacts facts = factsOf(kOpenAi, body);
    QCOMPARE(shown(facts.model), QString("b"));
    QCOMPARE(facts.modelValues.size(), std::size_t{2});
    QCOMPARE(shown(body.substr(facts.modelValues[0].at, 3)), QString("\"a\""));
    QCOMPARE(shown(body.substr(facts.modelValues[1].at, 3)), QString("\"b\""));
}

void TestRequest::readsNeeds_data()
{
    QTest::addColumn<bool>("anthropic");
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("needs");
    const auto row = [](bool anthropic, const char* members, const char* needs) {
        QTest::newRow(members) << anthropic << QString(members) << QString(needs);
    };
    row(false, R"("tools":[{"type":"function"}])", "tools");
    row(false, R"("tools":[])", "");
    row(false, R"("tools":null)", "");
    row(false, R"("functions":[{}])", "tools");
    row(true, R"("tools":[{"name":"f"}])", "tools");
    row(false, R"("response_format":{"type":"json_schema","json_schema":{}})", "schema");
    row(false, R"("response_format":{"type":"json_object"})", "schema");
    row(false, R"("response_format":{"type":"text"})", "");
    row(false, R"("response_format":null)", "");
    row(true, R"("output_config":{"format":{"type":"json_schema","schema":{}}})", "schema");
    row(true, R"("output_config":{"effort":"low"})", "");
    row(true, R"("output_format":{"type":"json_schema"})", "schema");
    row(false,
        R"("messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}])",
        "images");
    row(false, R"("messages":[{"content":[{"text":"t","type":"text"}],"role":"user"}])", "");
    row(true,
        R"("messages":[{"role":"user","content":[{"source":{"data":"="},"type":"image"}]}])",
        "images");
    row(true,
        R"("messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image"}]}]}])",
        "images");
    row(false, R"("messages":[{"role":"user","content":"image_url"}])", "");
}

void TestRequest::readsNeeds()
{
    QFETCH(bool, anthropic);
    QFETCH(QString, members);
    QFETCH(QString, needs);
    const Needs expected{needs == "tools", needs == "images", needs == "schema"};
    const Protocol protocol = anthropic ? kAnthropic : kOpenAi;
    QVERIFY(withMembers(protocol, members.toStdString()).needs == expected);
}

void TestRequest::findsIssuersState_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<bool>("found");
    const auto row = [](const char* message, bool found) {
        QTest::newRow(message) << QString(message) << found;
    };
    row(R"({"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"s"}]})",
        true);
    row(R"({"content":[{"signature":"s","thinking":"x","type":"thinking"}],"role":"assistant"})",
        true);
    row(R"({"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":""}]})",
        false);
    row(R"({"role":"assistant","content":[{"type":"thinking","thinking":"x"}]})", false);
    // Reasoning of another upstream that Weir has put into a block: nobody has signed it.
    row(R"({"role":"assistant","content":[{"signature":"weir:unsigned","type":"thinking"}]})",
        false);
    row(R"({"role":"assistant","content":[{"type":"redacted_thinking","signature":"weir:unsigned"}]})",
        true);
    row(R"({"role":"assistant","content":[{"type":"redacted_thinking","data":"d"}]})", true);
    row(R"({"role":"assistant","content":[{"type":"text","text":"redacted_thinking"}]})", false);
    row(R"({"role":"assistant","reasoning_details":[{"type":"reasoning.encrypted"}]})", true);
    row(R"({"role":"assistant","reasoning_details":[]})", false);
    row(R"({"role":"assistant","reasoning_details":null})", false);
    row(R"({"role":"assistant","reasoning_content":"plain"})", false);
    row(R"({"type":"reasoning","encrypted_content":"e"})", true);
    row(R"({"type":"reasoning","encrypted_content":null})", false);
    row(R"({"role":"assistant","tool_calls":[{"id":"a","extra_content":{"google":)"
        R"({"thought_signature":"s"}}}]})",
        true);
    row(R"({"role":"assistant","tool_calls":[{"id":"a","function":{"arguments":"thought_signature"}}]})",
        false);
}

void TestRequest::findsIssuersState()
{
    QFETCH(QString, message);
    QFETCH(bool, found);
    QCOMPARE(withMessages(kAnthropic, message.toStdString()).singleShot, found);
}

void TestRequest::readsMaxTokens_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<qint64>("count");
    QTest::newRow("old name") << R"("max_tokens":500)" << qint64{500};
    QTest::newRow("new name") << R"("max_completion_tokens":7)" << qint64{7};
    QTest::newRow("the smaller") << R"("max_tokens":9,"max_completion_tokens":7)" << qint64{7};
    QTest::newRow("written as a fraction") << R"("max_tokens":1e2)" << qint64{100};
    QTest::newRow("null") << R"("max_tokens":null)" << qint64{-1};
    QTest::newRow("text") << R"("max_tokens":"5")" << qint64{-1};
    QTest::newRow("no whole number") << R"("max_tokens":1.5)" << qint64{-1};
    QTest::newRow("beyond 64 bits") << R"("max_tokens":99999999999999999999)" << qint64{-1};
}

void TestRequest::readsMaxTokens()
{
    QFETCH(QString, members);
    QFETCH(qint64, count);
    const RequestFacts facts = withMembers(kOpenAi, members.toStdString());
    QCOMPARE(qint64{facts.maxTokens.value_or(-1)}, count);
}

void TestRequest::readsConversationHint()
{
    const auto hint = [](const char* members) {
        return shown(withMembers(kOpenAi, members).conversationHint);
    };
    QCOMPARE(hint(R"("prompt_cache_key":"k")"), QString("k"));
    QCOMPARE(hint(R"("prompt_cache_key":"k","session_id":"s")"), QString("s"));
    QCOMPARE(hint(R"("session_id":"s","prompt_cache_key":"k")"), QString("s"));
    QCOMPARE(hint(R"("session_id":7)"), QString());
}

void TestRequest::hashesPrompt()
{
    const auto hash = [](const std::string& messages) {
        return withMessages(kOpenAi, messages).promptHash;
    };
    const std::string user = R"({"role":"user","content":"hi"})";
    const auto plain = hash(user);
    QVERIFY(plain != hash(R"({"role":"user","content":"ho"})"));
    QVERIFY(plain != hash(R"({"role":"system","content":"hi"})"));
    QVERIFY(plain != hash(R"({"role":"system","content":"s"},)" + user));
    // Another way to write the same text, with a cache mark that moves from turn to turn.
    QCOMPARE(
        hash(R"({"content":[{"text":"hi","cache_control":{"type":"ephemeral"},"type":"text"}],)"
             R"("role":"user"})"),
        plain);
    QVERIFY(
        hash(
            R"({"role":"user","content":[{"type":"text","text":"ab"},{"type":"text","text":"c"}]})") !=
        hash(
            R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"bc"}]})"));
    // Anthropic's system stands before or behind the messages.
    const auto first = factsOf(kAnthropic, R"({"system":"s","messages":[)" + user + "]}");
    const auto last =
        factsOf(kAnthropic, R"({"messages":[)" + user + R"(],"system":[{"text":"s"}]})");
    const auto other = factsOf(kAnthropic, R"({"messages":[)" + user + R"(],"system":"t"})");
    QCOMPARE(first.promptHash, last.promptHash);
    QVERIFY(first.promptHash != other.promptHash);
}

void TestRequest::hashIgnoresWhatComesLater()
{
    const std::string start = R"({"role":"system","content":"s"},{"role":"user","content":"hi"})";
    const std::string later =
        start + R"(,{"role":"assistant","content":"yes"},{"role":"system","content":"reminder"},)"
                R"({"role":"user","content":"on"})";
    QCOMPARE(withMessages(kOpenAi, later).promptHash, withMessages(kOpenAi, start).promptHash);
}

void TestRequest::readsStreamOptions()
{
    const std::string body =
        R"({"messages":[],"stream":true,"stream_options": {"include_usage" : true } })";
    const RequestFacts facts = factsOf(kOpenAi, body);
    QVERIFY(facts.wantsUsage);
    QVERIFY(!facts.usageEdit);
    QVERIFY(facts.streamOptionsValue);
    const Span span = *facts.streamOptionsValue;
    QCOMPARE(shown(body.substr(span.at, span.size)), QString(R"({"include_usage" : true })"));
}

void TestRequest::leavesOddValuesToTheUpstream()
{
    const RequestFacts facts = withMembers(
        kOpenAi,
        R"("tools":5,"response_format":[1],"session_id":{},"stream_options":"x","stream":true,)"
        R"("output_config":true,"x":{"y":[{"z":null}]})");
    QVERIFY(facts.stream);
    QVERIFY(!facts.usageEdit);
    QVERIFY(facts.needs == Needs{});
    withMessages(kOpenAi, R"({"role":7,"content":9},{"content":[1,"a",[2],{"type":3}]},{})");
}

void TestRequest::survivesDeepNesting()
{
    constexpr int kDepth = 100000;
    const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
    QVERIFY(withMembers(kOpenAi, "\"x\":" + deep + ",\"stream\":true").stream);
    std::string content = "\"end\"";
    for (int i = 0; i < 2000; ++i)
        content = R"([{"content":)" + content + "}]";
    withMessages(kAnthropic, R"({"role":"user","content":)" + content + "}");
}

void TestRequest::readsLargeBodies()
{
    const std::string image(3 * 1024 * 1024, 'A');
    const std::string body =
        R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:)" +
        image + R"("}}]}],"model":"m"})";
    const RequestFacts facts = factsOf(kOpenAi, body);
    QVERIFY(facts.needs.images);
    QCOMPARE(shown(facts.model), QString("m"));
}

QTEST_APPLESS_MAIN(TestRequest)
#include "tst_request.moc"
