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
};

/// The body as it goes upstream.
std::string spliced(std::string_view body, const Upstream& upstream)
{
    const Padded padded{body};
    const auto facts = readRequest(upstream.protocol, padded.view());
    if (!facts) qFatal("%s", facts.error().message.c_str());
    const auto splices =
        upstreamSplices(upstream.protocol, *facts, upstream.model, upstream.streamOptions);
    std::vector<std::string_view> pieces;
    appendPieces(padded.view(), splices, pieces);
    std::string out;
    for (const std::string_view piece : pieces)
        out += piece;
    if (out.size() != splicedSize(padded.view(), splices)) qFatal("splicedSize() is wrong");
    // What goes upstream must be readable again.
    const Padded again{out};
    if (!readRequest(upstream.protocol, again.view())) qFatal("spliced into nonsense");
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
    const auto facts = readRequest(Protocol::Anthropic, padded.view());
    QVERIFY(facts);
    QVERIFY(upstreamSplices(Protocol::Anthropic, *facts, "up", true).empty());
    const QString quoted = "{\"model\":\"quo\\\"te\",\"messages\":[]}";
    QCOMPARE(shown(spliced(body, {.model = "quo\"te"})), quoted);
}

QTEST_APPLESS_MAIN(TestSplice)
#include "tst_splice.moc"
