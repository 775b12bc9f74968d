// SPDX-License-Identifier: Apache-2.0
#include "common/quality/json_schema.h"
#include "tests/quality/quotes.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <filesystem>
#include <fstream>
#include <string>

using namespace weir;
using weir::quality::JsonSchema;
using Json = nlohmann::json;

namespace {

QString codeOf(const std::string& schema, const std::string& value)
{
    const Result<JsonSchema> parsed = JsonSchema::parse(schema);
    if (!parsed) return QString::fromStdString(parsed.error().code);
    const Status<> kept = parsed->check(value);
    return kept ? QStringLiteral("kept") : QString::fromStdString(kept.error().code);
}

std::string repeated(std::string_view part, int times)
{
    std::string text;
    for (int i = 0; i < times; ++i)
        text += part;
    return text;
}

/// The groups of the official tests that need a server for references, or a base other than the
/// document itself; so do all of two files.
bool isLeftOut(const std::string& description)
{
    for (const char* part :
         {"remote ref", "Location-independent", "$id", "base URI", "Recursive references"}) {
        if (description.find(part) != std::string::npos) return true;
    }
    return false;
}

} // namespace

/// The checker of JSON Schemas: what they mean, by the official tests, and that nothing that they
/// or an answer say can hold it up or bring it down.
class TestJsonSchema : public QObject
{
    Q_OBJECT

private slots:

    void officialTests_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* draft : {"draft6", "draft7"}) {
            const auto folder = std::filesystem::path(WEIR_SCHEMA_SUITE) / draft;
            QVERIFY2(
                std::filesystem::exists(folder), "install Debian's package json-schema-test-suite");
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                const std::string name = entry.path().filename().string();
                if (!entry.is_regular_file() || name == "refRemote.json" ||
                    name == "definitions.json")
                    continue;
                QTest::addRow("%s/%s", draft, name.c_str())
                    << QString::fromStdString(entry.path().string());
            }
        }
    }

    void officialTests()
    {
        QFETCH(QString, file);
        std::ifstream input(file.toStdString());
        const Json groups = Json::parse(input);
        int compared = 0;
        for (const Json& group : groups) {
            const auto about = group["description"].get<std::string>();
            if (isLeftOut(about)) continue;
            Json schema = group["schema"];
            // The suite's folder says the draft, its schemas do not.
            if (schema.is_object()) schema["$schema"] = "http://json-schema.org/draft-07/schema#";
            const Result<JsonSchema> parsed = JsonSchema::parse(schema.dump());
            QVERIFY2(
                parsed.has_value(), (about + ": " + (parsed ? "" : parsed.error().text())).c_str());
            for (const Json& test : group["tests"]) {
                const bool kept = parsed->check(test["data"].dump()).has_value();
                const std::string name = about + ": " + test["description"].get<std::string>();
                QVERIFY2(kept == test["valid"].get<bool>(), name.c_str());
                ++compared;
            }
        }
        QVERIFY(compared > 0);
    }

    void newerDrafts_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name,
                            const std::string& schema,
                            const std::string& value,
                            const char* code) {
            QTest::newRow(name) << QByteArray::fromStdString(schema)
                                << QByteArray::fromStdString(value) << QString(code);
        };
        const std::string tuple =
            q("{'prefixItems':[{'type':'string'},{'type':'integer'}],'items':false}");
        row("prefix kept", tuple, q("['a',1]"), "kept");
        row("prefix broken", tuple, q("[1,1]"), "mismatch");
        row("one too many", tuple, q("['a',1,2]"), "mismatch");
        const std::string defs =
            q("{'$ref':'#/$defs/a','maxLength':3,'$defs':{'a':{'minLength':2}}}");
        row("$defs", defs, q("'ab'"), "kept");
        row("$defs broken", defs, q("'a'"), "mismatch");
        row("beside a $ref", defs, q("'abcd'"), "mismatch");
        const std::string needs =
            q("{'dependentRequired':{'a':['b']},'dependentSchemas':{'c':{'minProperties':2}}}");
        row("dependent kept", needs, q("{'a':1,'b':2}"), "kept");
        row("dependent broken", needs, q("{'a':1}"), "mismatch");
        row("dependent schema broken", needs, q("{'c':1}"), "mismatch");
        const std::string some = q("{'contains':{'const':1},'minContains':2,'maxContains':3}");
        row("too few contained", some, "[1]", "mismatch");
        row("enough contained", some, "[1,1,1]", "kept");
        row("too many contained", some, "[1,1,1,1]", "mismatch");
        row("a format is a note", q("{'format':'date'}"), q("'x'"), "kept");
        row("fractions of tenths", q("{'multipleOf':0.01}"), "0.07", "kept");
        row("not JSON", "{}", "{\"a\":", "not_json");
        row("two documents", "{}", "{} {}", "not_json");
        row("no UTF-8", "{}", "\"\xff\"", "not_json");
    }

    void newerDrafts()
    {
        QFETCH(QByteArray, schema);
        QFETCH(QByteArray, value);
        QFETCH(QString, code);
        QCOMPARE(codeOf(schema.toStdString(), value.toStdString()), code);
    }

    void badSchemas_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("code");
        const auto row = [](const std::string& schema, const char* where, const char* code) {
            QTest::newRow(schema.c_str())
                << QByteArray::fromStdString(schema) << QString(where) << QString(code);
        };
        row("[", "/", "bad_schema");
        row("1", "/", "bad_schema");
        row(q("{'type':'text'}"), "/type", "bad_schema");
        row(q("{'minLength':-1}"), "/minLength", "bad_schema");
        row(q("{'multipleOf':0}"), "/multipleOf", "bad_schema");
        row(q("{'exclusiveMinimum':true}"), "/exclusiveMinimum", "bad_schema");
        row(q("{'properties':{'a':3}}"), "/properties/a", "bad_schema");
        row(q("{'anyOf':[{},{'pattern':'('}]}"), "/anyOf/1/pattern", "bad_schema");
        row(q("{'pattern':'(?=a)'}"), "/pattern", "bad_schema");
        row(q("{'patternProperties':{'[':{}}}"), "/patternProperties/[", "bad_schema");
        row(q("{'$ref':'#/nowhere'}"), "/$ref", "bad_schema");
        row(q("{'$ref':'http://example.com/s.json'}"), "/$ref", "schema_unsupported");
        row(q("{'items':{'unevaluatedItems':false}}"),
            "/items/unevaluatedItems",
            "schema_unsupported");
    }

    void badSchemas()

    {
        QFETCH(QByteArray, schema);
        QFETCH(QString, where);
        QFETCH(QString, code);
        const Result<JsonSchema> parsed = JsonSchema::parse(schema.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(QString::fromStdString(parsed.error().where), where);
        QCOMPARE(QString::fromStdString(parsed.error().code), code);
    }

    void hostile_data()
    {
        QTest::addColumn<QByteArray>("schema");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name,
                            const std::string& schema,
                            const std::string& value,
                            const char* code) {
            QTest::newRow(name) << QByteArray::fromStdString(schema)
                                << QByteArray::fromStdString(value) << QString(code);
        };
        const std::string million = repeated("1111111111", 100'000);
        row("a million digits",
            q("{'format':'date','pattern':'^(1|1)*$'}"),
            '"' + million + '"',
            "kept");
        row("backtracking", q("{'pattern':'^(1+)+$'}"), '"' + million + "x\"", "mismatch");
        row("refers to itself", q("{'allOf':[{'$ref':'#'}]}"), "1", "too_costly");
        row("is itself", q("{'$ref':'#'}"), "1", "too_costly");
        const std::string branches =
            q("{'type':'object','anyOf':[{'properties':{'a':{'$ref':'#'}},"
              "'required':['b']},{'properties':{'a':{'$ref':'#'}},'required':['c']}]}");
        row("branches on every level",
            branches,
            repeated(q("{'a':"), 60) + "1" + repeated("}", 60),
            "too_costly");
        row("branches wide",
            q("{'$ref':'#/$defs/d0','$defs':{'d0':{'anyOf':[{'$ref':'#/$defs/d1'},"
              "{'$ref':'#/$defs/d1'}]},'d1':{'items':{'$ref':'#/$defs/d0'},"
              "'contains':{'$ref':'#/$defs/d0'},'minItems':1}}}"),
            repeated("[", 90) + repeated("]", 90),
            "too_costly");
        row("a deep answer", "{}", repeated("[", 200'000), "not_json");
        row("a deep schema",
            repeated(q("{'not':"), 5000) + "{}" + repeated("}", 5000),
            "1",
            "bad_schema");
        row("many alike",
            q("{'uniqueItems':true}"),
            "[" + repeated("[1,2],", 50'000) + "[3]]",
            "mismatch");
        row("a long pattern",
            "{\"pattern\":\"" + repeated("(a|b)", 2000) + "\"}",
            "1",
            "bad_schema");
        row("a pattern that grows",
            q("{'pattern':'((a{1,100}){1,100}){1,100}'}"),
            "1",
            "bad_schema");
        row("over 8 MiB", "{}", '"' + repeated(million, 9) + '"', "not_json");
    }

    void hostile()
    {
        QFETCH(QByteArray, schema);
        QFETCH(QByteArray, value);
        QFETCH(QString, code);
        QCOMPARE(codeOf(schema.toStdString(), value.toStdString()), code);
    }
};

QTEST_APPLESS_MAIN(TestJsonSchema)
#include "tst_json_schema.moc"
