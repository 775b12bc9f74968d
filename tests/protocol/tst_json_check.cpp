// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_check.h"

#include <QTest>

#include <string>
#include <string_view>

using namespace weir::protocol::json;

namespace {

std::string_view viewOf(const QByteArray& bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

std::string nested(std::size_t arrays)
{
    return "{\"a\":" + std::string(arrays, '[') + std::string(arrays, ']') + "}";
}

} // namespace

class TestJsonCheck final : public QObject
{
    Q_OBJECT

private slots:
    void objects_data();
    void objects();
    void numbers_data();
    void numbers();
    void depth();
};

void TestJsonCheck::objects_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isGood");
    const auto good = [](const char* text) { QTest::newRow(text) << QByteArray(text) << true; };
    const auto bad = [](const char* text) { QTest::newRow(text) << QByteArray(text) << false; };
    good("{}");
    good(" \t\r\n{ \t\r\n} \t\r\n");
    good("{\"id\":18446744073709551616}");
    good("{\"n\":1e400,\"m\":-1E-400}");
    good("{\"x\":\"\\ud83d\",\"y\":\"\\uDE00\\ud83d\"}");
    good("{\"\":\"\",\"\\u0061\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}");
    good("{\"a\":[ ],\"b\":{ },\"c\":[1 , [true,false,null,{\"d\":0}],\"e\"]}");
    good("{\"a\":0}");
    good("{\"a\":-0.5e+1 ,\"b\":1\n}");
    good("{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\"}");
    bad("");
    bad(" ");
    bad("null");
    bad("[]");
    bad("[{}]");
    bad("\"{}\"");
    bad("{");
    bad("}");
    bad("{}{}");
    bad("{},");
    bad("{} x");
    bad("{,}");
    bad("{\"a\"}");
    bad("{\"a\":}");
    bad("{\"a\" 1}");
    bad("{\"a\":1,}");
    bad("{\"a\":1 2}");
    bad("{\"a\":1 \"b\":2}");
    bad("{\"a\":1,,\"b\":2}");
    bad("{\"a\":1]");
    bad("{\"a\":[1}");
    bad("{\"a\":[1,]}");
    bad("{\"a\":[,1]}");
    bad("{\"a\":[1:2]}");
    bad("{a:1}");
    bad("{'a':1}");
    bad("{1:1}");
    bad("{\"a\":tru}");
    bad("{\"a\":truex}");
    bad("{\"a\":True}");
    bad("{\"a\":NaN}");
    bad("{\"a\":01}");
    bad("{\"a\":1.}");
    bad("{\"a\":-}");
    bad("{\"a\":1e}");
    bad("{\"path\": \"/et");
    bad("{\"a\":\"\\");
    bad("{\"a\":\"\\x\"}");
    bad("{\"a\":\"\\u12\"}");
    bad("{\"a\":\"\\u12g4\"}");
    bad("{\"a\":\"\n\"}");
    bad("{\"a\":1}//");
    bad("{\"a\":\"\xFF\"}");
    bad("{\"a\":\"\xED\xA0\xBD\"}");
    QTest::newRow("zero byte") << QByteArray("{\"a\":\"\0\"}", 9) << false;
    QTest::newRow("zero byte behind") << QByteArray("{}\0", 3) << false;
}

void TestJsonCheck::objects()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isGood);
    QCOMPARE(isObject(viewOf(text)), isGood);
}

void TestJsonCheck::numbers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isGood");
    for (const char* const text :
         {"0",
          "-0",
          "10",
          "-1.5",
          "0.00",
          "1e9",
          "1E+9",
          "0e-0",
          "2.5e10",
          "123456789012345678901234567890",
          "1e999999999999"}) {
        QTest::newRow(text) << QByteArray(text) << true;
    }
    for (const char* const text :
         {"",
          "-",
          "+1",
          ".5",
          "1.",
          "1.e5",
          "00",
          "01",
          "-01",
          "1e",
          "1e+",
          "1e5.0",
          "1x",
          "0x1",
          "1 ",
          " 1",
          "1-2",
          "--1",
          "Infinity"}) {
        QTest::newRow(text) << QByteArray(text) << false;
    }
}

void TestJsonCheck::numbers()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isGood);
    QCOMPARE(isNumber(viewOf(text)), isGood);
}

void TestJsonCheck::depth()
{
    QVERIFY(isObject(nested(ObjectCheck::kDepthMax - 1)));
    QVERIFY(!isObject(nested(ObjectCheck::kDepthMax)));
}

QTEST_APPLESS_MAIN(TestJsonCheck)
#include "tst_json_check.moc"
