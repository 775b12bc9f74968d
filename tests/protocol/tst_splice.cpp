// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/splice.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <string>

using namespace weir;
using namespace weir::protocol;

namespace {

struct Upstream
{
    Protocol protocol = Protocol::OpenAi;
    std::string_view model = "up";
    bool streamOptions = true;
    std::string_view maxTokensName = {};
};

/// The body as it goes upstream.
std::string spliced(std::string_view body, const Upstream& upstream)
{
    const Padded padded{body};
    const auto facts = readRequest(conversationApi(upstream.protocol), padded.view());
    if (!facts) qFatal("%s", facts.error().message.c_str());
    const auto splices = upstreamSplices(
        upstream.protocol, *facts, upstream.model, upstream.streamOptions, upstream.maxTokensName);
    std::vector<std::string_view> pieces;
    appendPieces(padded.view(), splices, pieces);
    std::string out;
    for (const std::string_view piece : pieces)
        out += piece;
    if (out.size() != splicedSize(padded.view(), splices)) qFatal("splicedSize() is wrong");
    // What goes upstream must be readable again.
    const Padded again{out};
    if (!readRequest(conversationApi(upstream.protocol), again.view()))
        qFatal("spliced into nonsense");
    return out;
}

} // namespace

class TestSplice : public QObject
{
    Q_OBJECT

private slots:
    void keepsEveryOtherByte();
    void replacesModel_data();
    void replacesModel();
    void asksForUsage_data();
    void asksForUsage();
    void asksOnlyWhereItMay();
    void removesForeignMembers_data();
    void removesForeignMembers();
    void namesTheLengthLimit_data();
    void namesTheLengthLimit();
    void removesOwnThinking_data();
    void removesOwnThinking();
    void turnsThinkingOffInACutTurn_data();
    void turnsThinkingOffInACutTurn();
    void combines();
    void leavesAFittingBodyAlone();
};

// Wire case B092: order of keys, spelling of numbers, unknown and duplicate members, escapes.
void TestSplice::keepsEveryOtherByte()
{
    const std::string before =
        R"( {"tools":[{"function":{"parameters":{"properties":{"zebra":{},"apple":{},"mango":{}}}}}],)"
        R"( "seed": 9007199254740993, "t":1.0,"u":1e2,"a":1,"a":2,"x_vendor":{"k":null}, "e":"\u00e9é",)"
        "\r\n\t\"model\" : ";
    const std::string after = R"( ,"messages":[{"role":"user","content":"\/ \u2028 語🌍"}]} )";
    QCOMPARE(
        shown(spliced(before + "\"m\"" + after, {.model = "zai-org/GLM-5.2"})),
        shown(before + "\"zai-org/GLM-5.2\"" + after));
}

void TestSplice::replacesModel_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* body, const char* expected) {
        QTest::newRow(name) << QString(body) << QString(expected);
    };
    row("plain", R"({"model":"m","messages":[]})", R"({"model":"up","messages":[]})");
    row("escaped", R"({"model":"\u006d","messages":[]})", R"({"model":"up","messages":[]})");
    row("last", R"({"messages":[], "model" : "m" })", R"({"messages":[], "model" : "up" })");
    row("suffix", R"({"model":"up:floor","messages":[]})", R"({"model":"up","messages":[]})");
    row("twice",
        R"({"model":"a","messages":[],"model":"up"})",
        R"({"model":"up","messages":[],"model":"up"})");
    row("escaped key",
        R"({"\u006dodel":"m","messages":[]})",
        R"({"\u006dodel":"up","messages":[]})");
    row("missing", R"( { "messages":[]})", R"( {"model":"up", "messages":[]})");
    row("nested ones stay",
        R"({"model":"m","messages":[],"x":{"model":"m"}})",
        R"({"model":"up","messages":[],"x":{"model":"m"}})");
}

void TestSplice::replacesModel()
{
    QFETCH(QString, body);
    QFETCH(QString, expected);
    QCOMPARE(shown(spliced(body.toStdString(), {})), expected);
}

void TestSplice::asksForUsage_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* given, const char* expected) {
        QTest::newRow(given) << QString(given) << QString(expected);
    };
    row(R"({"include_usage":true})", R"({"include_usage":true})");
    row(R"({"include_usage":false})", R"({"include_usage":true})");
    row(R"({"include_usage": null })", R"({"include_usage": true })");
    row(R"({"a":1, "include_usage" : false ,"b":2})", R"({"a":1, "include_usage" : true ,"b":2})");
    row("{}", R"({"include_usage":true})");
    row("{ }", R"({"include_usage":true })");
    row(R"({"a":{"include_usage":true}})", R"({"include_usage":true,"a":{"include_usage":true}})");
    row("null", R"({"include_usage":true})");
    // Wrong anyway: the upstream says so itself.
    row(R"({"include_usage":"yes"})", R"({"include_usage":"yes"})");
    row("[1]", "[1]");
}

void TestSplice::asksForUsage()
{
    QFETCH(QString, given);
    QFETCH(QString, expected);
    const std::string before = R"({"model":"up","stream":true,"stream_options":)";
    const std::string after = R"( ,"messages":[]})";
    QCOMPARE(
        shown(spliced(before + given.toStdString() + after, {})),
        shown(before + expected.toStdString() + after));
}

// Wire case B086.
void TestSplice::asksOnlyWhereItMay()
{
    const std::string streaming = R"({"model":"up","messages":[],"stream":true})";
    QCOMPARE(
        shown(spliced(streaming, {})),
        QString(R"({"stream_options":{"include_usage":true},)"
                R"("model":"up","messages":[],"stream":true})"));
    QCOMPARE(shown(spliced(streaming, {.streamOptions = false})), shown(streaming));
    QCOMPARE(shown(spliced(streaming, {.protocol = Protocol::Anthropic})), shown(streaming));
    for (const char* const body :
         {R"({"model":"up","messages":[]})", R"({"model":"up","messages":[],"stream":false})"}) {
        QCOMPARE(shown(spliced(body, {})), QString(body));
    }
}

void TestSplice::removesForeignMembers_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* body, const char* expected) {
        QTest::newRow(name) << QString(body) << QString(expected);
    };
    row("first", R"({"provider":{"only":["a"]},"messages":[]})", R"({"messages":[]})");
    row("last", R"({"messages":[],"provider":{"only":[","]}})", R"({"messages":[]})");
    row("between", R"({"messages":[],"models":["x"],"n":1})", R"({"messages":[],"n":1})");
    row("both first", R"({"provider":{},"models":["x"],"messages":[]})", R"({"messages":[]})");
    row("both last", R"({"messages":[],"provider":{},"models":null})", R"({"messages":[]})");
    row("around", R"({"provider":{},"messages":[],"models":[]})", R"({"messages":[]})");
    row("blanks",
        R"({ "provider" : {} , "messages":[] , "models" : [ ] })",
        R"({  "messages":[]  })");
    row("twice", R"({"provider":{},"messages":[],"provider":null})", R"({"messages":[]})");
    row("escaped key", R"({"messages":[],"pr\u006fvider":{"zdr":true}})", R"({"messages":[]})");
    row("nested ones stay", R"({"messages":[{"provider":1}]})", R"({"messages":[{"provider":1}]})");
}

void TestSplice::removesForeignMembers()
{
    QFETCH(QString, body);
    QFETCH(QString, expected);
    const std::string model = R"({"model":"up",)";
    const std::string bare = spliced(body.toStdString(), {});
    // The name is missing in these bodies and is put in; that is looked at elsewhere.
    QVERIFY(bare.starts_with(model));
    QCOMPARE(shown("{" + bare.substr(model.size())), expected);
}

// Wire case B083.
void TestSplice::namesTheLengthLimit_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* given, const char* name, const char* expected) {
        QTest::addRow("%s -> %s", given, name)
            << QString(given) << QString(name) << QString(expected);
    };
    const char* const kOld = "max_tokens";
    const char* const kNew = "max_completion_tokens";
    row(R"("max_tokens" : 5)", "", R"("max_tokens" : 5)");
    row(R"("max_tokens" : 5)", kOld, R"("max_tokens" : 5)");
    row(R"("max_tokens" : 5)", kNew, R"("max_completion_tokens" : 5)");
    row(R"("max_completion_tokens":5.0)", kOld, R"("max_tokens":5.0)");
    row(R"("max_tokens":null)", kNew, R"("max_completion_tokens":null)");
    row(R"("max\u005ftokens":5)", kNew, R"("max_completion_tokens":5)");
    // Both: one goes up, and says the smaller.
    row(R"("max_tokens":5,"max_completion_tokens":7)", "", R"("max_completion_tokens":5)");
    row(R"("max_tokens":5,"max_completion_tokens":7)", kOld, R"("max_tokens":5)");
    row(R"("max_completion_tokens":7,"max_tokens":9)", "", R"("max_completion_tokens":7)");
    row(R"("max_completion_tokens":7,"max_tokens":9)", kOld, R"("max_tokens":7)");
    row(R"("max_tokens":null,"max_completion_tokens":7)", "", R"("max_completion_tokens":7)");
    row(R"("max_tokens":3,"max_completion_tokens":null)", "", R"("max_completion_tokens":3)");
    row(R"("max_tokens":9,"a":1,"max_tokens":3 , "b":2)", "", R"("a":1,"max_tokens":3 , "b":2)");
    row(R"("models":[],"max_tokens":4,"provider":{},"max_completion_tokens":7,"models":null)",
        "",
        R"("max_completion_tokens":4)");
    // Wrong anyway: the upstream says so itself.
    row(R"("max_tokens":"5","max_completion_tokens":7)",
        kOld,
        R"("max_tokens":"5","max_completion_tokens":7)");
}

void TestSplice::namesTheLengthLimit()
{
    QFETCH(QString, given);
    QFETCH(QString, name);
    QFETCH(QString, expected);
    const std::string limitName = name.toStdString();
    const Upstream upstream{.maxTokensName = limitName};
    const std::string rest = R"("model":"up","messages":[])";
    QCOMPARE(
        shown(spliced('{' + given.toStdString() + ',' + rest + '}', upstream)),
        shown('{' + expected.toStdString() + ',' + rest + '}'));
    QCOMPARE(
        shown(spliced('{' + rest + ',' + given.toStdString() + '}', upstream)),
        shown('{' + rest + ',' + expected.toStdString() + '}'));
    // Anthropic knows one name alone.
    const std::string messages = '{' + given.toStdString() + ',' + rest + '}';
    if (!given.contains("models")) {
        QCOMPARE(
            shown(spliced(messages, {.protocol = Protocol::Anthropic, .maxTokensName = limitName})),
            shown(messages));
    }
}

/// Reasoning of an OpenAI-protocol upstream, which came to an Anthropic client as thinking blocks
/// that no provider has signed: none takes them back.
void TestSplice::removesOwnThinking_data()
{
    QTest::addColumn<QString>("messages");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* messages, const char* expected) {
        QTest::newRow(name) << QString(messages) << QString(expected);
    };
    const char* const kKept =
        R"({"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]})";
    row("signed by its issuer", kKept, kKept);
    row("first",
        R"({"content":[{"type":"thinking","thinking":"t","signature":"weir:unsigned"} , {"type":"text","text":"x"}],"role":"assistant"})",
        R"({"content":[ {"type":"text","text":"x"}],"role":"assistant"})");
    row("last of several",
        R"({"role":"assistant","content":[{"type":"text","text":"x"},{"signature":"weir:unsigned","type":"thinking"},{"type":"thinking","signature":"weir\u003aunsigned"}]})",
        R"({"role":"assistant","content":[{"type":"text","text":"x"}]})");
    row("nothing else in the first message",
        R"({"role":"assistant","content":[{"type":"thinking","signature":"weir:unsigned"}]},{"role":"user","content":"a"})",
        R"({"role":"user","content":"a"})");
    row("nothing else in later messages",
        R"({"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","signature":"weir:unsigned"}]},{"role":"assistant","content":[{"type":"thinking","signature":"weir:unsigned"},{"type":"thinking","signature":"weir:unsigned"}]},{"role":"user","content":"b"})",
        R"({"role":"user","content":"a"},{"role":"user","content":"b"})");
    row("the user's stay",
        R"({"role":"user","content":[{"type":"thinking","signature":"weir:unsigned"}]})",
        R"({"role":"user","content":[{"type":"thinking","signature":"weir:unsigned"}]})");
    row("of two contents the last counts",
        R"({"role":"assistant","content":[{"type":"text"}],"content":[{"type":"thinking","signature":"weir:unsigned"},1]})",
        R"({"role":"assistant","content":[{"type":"text"}],"content":[1]})");
}

void TestSplice::removesOwnThinking()
{
    QFETCH(QString, messages);
    QFETCH(QString, expected);
    const auto body = [](const QString& inner) {
        return R"({"model":"up","messages":[)" + inner.toStdString() + "]}";
    };
    QCOMPARE(
        shown(spliced(body(messages), {.protocol = Protocol::Anthropic})), shown(body(expected)));
    // In OpenAI's protocol such blocks mean nothing, and pass.
    QCOMPARE(shown(spliced(body(messages), {})), shown(body(messages)));
}

/// A turn that began with such a block and goes on with its tools' results at Anthropic: there it
/// lacks the signed one that manual thinking asks for.
void TestSplice::turnsThinkingOffInACutTurn_data()
{
    QTest::addColumn<QString>("thinking");
    QTest::addColumn<QString>("turn");
    QTest::addColumn<QString>("behind");
    QTest::addColumn<bool>("isOff");
    const char* const manual = R"({"budget_tokens":1024, "type":"enabled"})";
    const char* const own = R"({"type":"thinking","thinking":"t","signature":"weir:unsigned"},)";
    const char* const result = R"({"type":"tool_result","tool_use_id":"c"})";
    const char* const text = R"({"type":"text","text":"new"})";
    QTest::newRow("its tools answer") << manual << own << result << true;
    QTest::newRow("a new question") << manual << own << text << false;
    QTest::newRow("adaptive") << R"({"type":"adaptive"})" << own << result << false;
    QTest::newRow("off already") << R"({"type":"disabled"})" << own << result << false;
    QTest::newRow("signed by its issuer")
        << manual << R"({"type":"thinking","thinking":"t","signature":"s"},)" << result << false;
    QTest::newRow("no reasoning") << manual << "" << result << false;
}

void TestSplice::turnsThinkingOffInACutTurn()
{
    QFETCH(QString, thinking);
    QFETCH(QString, turn);
    QFETCH(QString, behind);
    QFETCH(bool, isOff);
    const auto body = [&](const QString& wish, const QString& block) {
        const QString call = R"({"type":"tool_use","id":"c","name":"f","input":{}})";
        return R"({"model":"up","thinking":)" + wish.toStdString() +
               R"(,"messages":[{"role":"assistant","content":[)" + (block + call).toStdString() +
               R"(]},{"role":"user","content":[)" + behind.toStdString() + "]}]}";
    };
    const QString kept = turn.contains("weir") ? QString{} : turn;
    const QString sent = isOff ? QString(R"({"type":"disabled"})") : thinking;
    QCOMPARE(
        shown(spliced(body(thinking, turn), {.protocol = Protocol::Anthropic})),
        shown(body(sent, kept)));
}

void TestSplice::combines()
{
    QCOMPARE(
        shown(spliced(
            R"({"provider":{"only":["a"]},"model":"m:nitro","models":["n"],"messages":[],"stream":true})",
            {})),
        QString(R"({"stream_options":{"include_usage":true},)"
                R"("model":"up","messages":[],"stream":true})"));
}

void TestSplice::leavesAFittingBodyAlone()
{
    const std::string body = R"({"model":"up","messages":[]})";
    const Padded padded{body};
    const auto facts = readRequest(Api::Messages, padded.view());
    QVERIFY(facts);
    QVERIFY(upstreamSplices(Protocol::Anthropic, *facts, "up", true, {}).empty());
    const QString quoted = "{\"model\":\"quo\\\"te\",\"messages\":[]}";
    QCOMPARE(shown(spliced(body, {.model = "quo\"te"})), quoted);
}

QTEST_APPLESS_MAIN(TestSplice)
#include "tst_splice.moc"
