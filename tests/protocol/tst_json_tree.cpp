// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"
#include "agent/protocol/json_writer.h"
#include "tests/protocol/padded.h"

#include <QTest>

#include <string>
#include <vector>

using namespace weir::protocol;
using json::Node;
using json::Tree;

namespace {

/// Writes the tree again out of its leaves: equal to the document without its blanks.
void rewrite(const Node& node, json::Writer& writer)
{
    if (!node.isObject() && !node.isArray()) return writer.raw(node.raw());
    if (node.isObject()) {
        writer.beginObject();
    } else {
        writer.beginArray();
    }
    for (const Node child : node) {
        if (node.isObject()) writer.key(child.key().bytes);
        rewrite(child, writer);
    }
    if (node.isObject()) {
        writer.endObject();
    } else {
        writer.endArray();
    }
}

} // namespace

class TestJsonTree final : public QObject
{
    Q_OBJECT

private slots:
    void everyValueStaysAsItWasWritten();
    void membersAreFoundInAnyOrder();
    void noDocument_data();
    void noDocument();
    void copiesForgetWhatWasBefore();
    void depthIsBounded();
    void writerEscapes();
};

void TestJsonTree::everyValueStaysAsItWasWritten()
{
    const std::string text =
        "{\"z\" : 9007199254740993,\t\"a\":1.0,\"a\":1e2, \"s\":\"\\u00e9\xC3\xA9\\\\\\\"\" ,"
        "\"o\":{ },\"l\":[ ],\"n\":[null,true,false,-0.5,[ 1 , {\"k\":null} ]],\"e\":\"\"} \n";
    const Padded body(text);
    Tree tree;
    QVERIFY(tree.readPadded(body.view()));
    std::string out;
    json::Writer writer(out);
    rewrite(tree.root(), writer);
    QCOMPARE(
        shown(out),
        shown("{\"z\":9007199254740993,\"a\":1.0,\"a\":1e2,\"s\":\"\\u00e9\xC3\xA9\\\\\\\"\","
              "\"o\":{},\"l\":[],\"n\":[null,true,false,-0.5,[1,{\"k\":null}]],\"e\":\"\"}"));
    QCOMPARE(shown(tree.root()["n"].raw()), shown("[null,true,false,-0.5,[ 1 , {\"k\":null} ]]"));
    QCOMPARE(shown(tree.root()["o"].raw()), shown("{ }"));
    QCOMPARE(shown(tree.root()["l"].raw()), shown("[ ]"));
}

void TestJsonTree::membersAreFoundInAnyOrder()
{
    Tree tree;
    QVERIFY(tree.readCopied(
        R"({"content":["x",{"y":2}],"r\u006fle":"us\u0065r","role":"tool","n":12.0})"));
    const Node root = tree.root();
    QVERIFY(root["role"].is("tool"));
    QVERIFY(!root["none"].exists());
    QVERIFY(!root["none"]["further"].exists());
    QVERIFY(root["none"].isEmpty());
    QCOMPARE(root["n"].integer().value_or(0), 12);
    QVERIFY(!root["role"].integer());
    std::size_t count = 0;
    for (const Node element : root["content"])
        count += element.exists() ? 1 : 0;
    QCOMPARE(count, std::size_t{2});
    QVERIFY(root["content"].begin() != root["content"].end());
}

void TestJsonTree::noDocument_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("array") << QByteArray("[1]");
    QTest::newRow("cut") << QByteArray("{\"a\":[1,2");
    QTest::newRow("word") << QByteArray("{\"a\":tru}");
    QTest::newRow("number") << QByteArray("{\"a\":1x}");
    QTest::newRow("behind") << QByteArray("{\"a\":1} {}");
    QTest::newRow("bracket") << QByteArray("{\"a\":[1}");
    QTest::newRow("open string") << QByteArray("{\"a\":\"b}");
    QTest::newRow("utf-8") << QByteArray("{\"a\":\"\xFF\"}");
    QTest::newRow("escape") << QByteArray("{\"a\":\"\\x\"}");
    QTest::newRow("short escape") << QByteArray("{\"a\":\"\\u12\"}");
    QTest::newRow("no digits") << QByteArray("{\"a\":\"\\u12g4\"}");
}

void TestJsonTree::noDocument()
{
    QFETCH(QByteArray, text);
    Tree tree;
    QVERIFY(!tree.readCopied({text.data(), static_cast<std::size_t>(text.size())}));
    QVERIFY(!tree.root().exists());
}

// The parser looks past the end of a broken document.
void TestJsonTree::copiesForgetWhatWasBefore()
{
    const std::string broken = R"({"a":"b":null,"c":{"d":1}}})";
    std::vector<bool> taken;
    for (const char before : {'x', '}', '"', ' '}) {
        Tree tree;
        static_cast<void>(tree.readCopied(std::string(500, before)));
        taken.push_back(tree.readCopied(broken));
    }
    QCOMPARE(taken, std::vector<bool>(taken.size(), taken.front()));
}

void TestJsonTree::depthIsBounded()
{
    std::string text = "{\"a\":";
    for (int i = 0; i < 500; ++i)
        text += "[";
    text += "7";
    for (int i = 0; i < 500; ++i)
        text += "]";
    text += "}";
    Tree tree;
    QVERIFY(tree.readCopied(text));
    Node node = tree.root()["a"];
    QCOMPARE(node.raw().size(), std::size_t{1001});
    int depth = 0;
    for (; !node.isEmpty(); node = *node.begin())
        ++depth;
    QCOMPARE(depth, Tree::kDepthMax);
    QVERIFY(node.has(Node::Type::Opaque));
}

void TestJsonTree::writerEscapes()
{
    std::string out;
    json::Writer writer(out);
    writer.beginObject();
    writer.key("a");
    writer.text("\"\\/\b\f\n\r\t\x01\x1f é🌍");
    writer.key("b");
    writer.beginString();
    writer.stringPart({"\\u00e9"});
    writer.textPart("\n");
    writer.endString();
    writer.key("c");
    writer.integer(-3);
    writer.endObject();
    // Outside of the macro, where moc would lose its way in a raw string.
    const char* const written = R"({"a":"\"\\/\b\f\n\r\t\u0001\u001f é🌍","b":"\u00e9\n","c":-3})";
    QCOMPARE(shown(out), shown(written));
}

QTEST_APPLESS_MAIN(TestJsonTree)
#include "tst_json_tree.moc"
