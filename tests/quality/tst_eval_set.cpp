// SPDX-License-Identifier: Apache-2.0
#include "common/quality/eval_set.h"
#include "tests/quality/quotes.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::quality;
using Json = nlohmann::json;

class TestEvalSet : public QObject
{
    Q_OBJECT

private slots:

    void readsCases()
    {
        // One line each: what moc reads may not have two raw texts beside each other.
        std::string first = q("{'id':'a','system':'be brief','input':'yes?','max_tokens':5,");
        first += q("'checker':{'type':'exact','expected':'yes'}}");
        std::string second =
            q("{'id':'b','messages':[{'role':'user','content':'z'}],'weight':2.5,");
        second += q("'tools':[{'type':'function','function':{'name':'b',");
        second += q("'parameters':{'z':1,'a':2}}}],'parameters':{'top_p':0.5},");
        second += q("'checker':{'type':'model_graded','rubric':'r'}}");
        const Result<EvalSet> set = readEvalSet("\n" + first + "\r\n" + second, "set.jsonl");
        QVERIFY2(set.has_value(), set ? "" : set.error().text().c_str());
        QCOMPARE(set->cases.size(), std::size_t{2});
        const Json asked = Json::parse(set->cases[0].request);
        QCOMPARE(asked["messages"][0]["role"].get<std::string>(), std::string{"system"});
        QCOMPARE(asked["messages"][1]["content"].get<std::string>(), std::string{"yes?"});
        QCOMPARE(asked["max_tokens"].get<int>(), 5);
        QVERIFY(!asked.contains("checker"));
        const Json next = Json::parse(set->cases[1].request);
        QCOMPARE(next["top_p"].get<double>(), 0.5);
        QCOMPARE(set->cases[1].weight, 2.5);
        // As it was written: the order of a schema's members is a part of the prompt.
        QVERIFY(set->cases[1].request.find(q("{'z':1,'a':2}")) != std::string::npos);
    }

    void theHashNamesTheText()
    {
        const std::string line =
            q("{'id':'a','input':'q','checker':{'type':'exact','expected':'y'}}");
        const auto hash = [](const std::string& text) { return readEvalSet(text, "f")->hash; };
        QCOMPARE(hash(line), hash(line));
        QVERIFY(hash(line) != hash(line + "\n"));
        QCOMPARE(hash(line).size(), std::size_t{16});
    }

    void badLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const std::string& line, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(line) << QByteArray(says);
        };
        const std::string check = q("'checker':{'type':'exact','expected':'y'}}");
        row("no JSON", "hello", "is no JSON object");
        row("a list", "[1]", "is no JSON object");
        row("half a line", q("{'id':'a'"), "is no JSON object");
        row("no UTF-8", q("{'id':'a','input':'") + "\xff\"," + check, "UTF-8");
        row("too deep",
            q("{'id':'a','tools':") + std::string(100'000, '[') + std::string(100'000, ']') + "}",
            "100 levels");
        row("10 MB",
            q("{'id':'a','input':'") + std::string(10'000'000, 'x') + "\"," + check,
            "8 MiB");
        row("no id", q("{'input':'q',") + check, "id is missing");
        row("long id",
            q("{'id':'") + std::string(200, 'x') + q("','input':'q',") + check,
            "id must have 1 to 128 bytes");
        row("id twice", q("{'id':'first','input':'q',") + check, "names a case before");
        row("nothing to ask", q("{'id':'a',") + check, "needs one of the two");
        row("two to ask",
            q("{'id':'a','input':'q','messages':[{'role':'user'}],") + check,
            "needs one of the two");
        row("no message", q("{'id':'a','messages':[],") + check, "must not be empty");
        row("a message without role",
            q("{'id':'a','messages':[{'content':'q'}],") + check,
            "objects with a role");
        row("a typing error",
            q("{'id':'a','input':'q','wieght':2,") + check,
            "wieght is no member");
        row("weight", q("{'id':'a','input':'q','weight':0,") + check, "from 0.001 to 1000");
        row("the model",
            q("{'id':'a','input':'q','parameters':{'model':'m'},") + check,
            "must not hold model");
        row("no checker", q("{'id':'a','input':'q'}"), "checker is missing");
        const auto checked = [](const std::string& checker) {
            return q("{'id':'a','input':'q','checker':") + checker + "}";
        };
        row("unknown checker", checked(q("{'type':'like'}")), "checker.type must be exact, regex");
        row("nothing expected", checked(q("{'type':'exact'}")), "checker.expected must be");
        row("option of another",
            checked(q("{'type':'regex','pattern':'a','trim':true}")),
            "checker.trim is no member");
        row("bad pattern",
            checked(q("{'type':'regex','pattern':'('}")),
            "checker.pattern cannot be used");
        row("look-ahead", checked(q("{'type':'regex','pattern':'(?=a)'}")), "no look-around");
        row("huge pattern",
            checked(q("{'type':'regex','pattern':'") + std::string(100'000, '(') + "\"}"),
            "4096 bytes");
        row("pattern that grows",
            checked(q("{'type':'regex','pattern':'((a{1,100}){1,100}){1,100}'}")),
            "cannot be used");
        row("bad schema",
            checked(q("{'type':'json_schema','schema':{'type':'text'}}")),
            "checker.schema at /type");
        row("no rubric", checked(q("{'type':'model_graded'}")), "checker.rubric is missing");
        row("bad format",
            q("{'id':'a','input':'q','response_format':{'json_schema':{'schema':7}},") + check,
            "response_format at /");
    }

    void badLines()

    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        const std::string good =
            q("{'id':'first','input':'q','checker':{'type':'exact','expected':'y'}}");
        const Result<EvalSet> set = readEvalSet(good + "\n\n" + line.toStdString(), "set.jsonl");
        QVERIFY(!set);
        QCOMPARE(set.error().code, std::string{"bad_eval_set"});
        QCOMPARE(set.error().where, std::string{"set.jsonl:3"});
        QVERIFY2(
            set.error().detail.find(says.toStdString()) != std::string::npos,
            set.error().detail.c_str());
        QVERIFY(set.error().detail.size() < 400);
    }

    void anEmptySetIsNone() { QVERIFY(!readEvalSet("\n \n", "set.jsonl")); }
};

QTEST_APPLESS_MAIN(TestEvalSet)
#include "tst_eval_set.moc"
