// SPDX-License-Identifier: Apache-2.0
#include "common/quality/judge.h"
#include "common/quality/tally.h"
#include "tests/quality/quotes.h"

#include <QTest>

using namespace weir;
using namespace weir::quality;

namespace {

EvalCase caseOf(const std::string& checker, const std::string& more = {})
{
    const std::string line = q("{'id':'a','input':'q',") + more + q("'checker':") + checker + "}";
    Result<EvalSet> set = readEvalSet(line, "set.jsonl");
    if (!set) qFatal("%s", set.error().text().c_str());
    return std::move(set->cases.front());
}

QString validity(const Judgement& judgement)
{
    if (!judgement.schemaValid) return QStringLiteral("says nothing");
    return *judgement.schemaValid ? QStringLiteral("valid") : QStringLiteral("invalid");
}

constexpr qint64 kGood = kScoreWhole;

} // namespace

class TestJudge : public QObject
{
    Q_OBJECT

private slots:

    void checksTexts_data()
    {
        QTest::addColumn<QByteArray>("checker");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("score");
        const auto row = [](const char* name,
                            const std::string& checker,
                            const std::string& text,
                            qint64 score) {
            QTest::newRow(name) << QByteArray::fromStdString(checker)
                                << QByteArray::fromStdString(text) << score;
        };
        const std::string yes = q("{'type':'exact','expected':'Yes'}");
        row("exact", yes, "Yes", kGood);
        row("ends are trimmed", yes, " Yes\n", kGood);
        row("case counts", yes, "yes", 0);
        row("more is not the same", yes, "Yes, it is", 0);
        row("not trimmed", q("{'type':'exact','expected':'Yes','trim':false}"), "Yes ", 0);
        row("any of several", q("{'type':'exact','expected':['No','Yes']}"), "Yes", kGood);
        row("nothing is expected", q("{'type':'exact','expected':''}"), "", kGood);
        const std::string loose =
            q("{'type':'exact','expected':'It is two words','ignore_case':true,"
              "'collapse_space':true,'ignore_punctuation':true}");
        row("loose", loose, "it is TWO\n   words!", kGood);
        row("loose, and yet another", loose, "its three words", 0);
        row("letters beyond ASCII stay",
            q("{'type':'exact','expected':'Ä','ignore_case':true}"),
            "ä",
            0);
        row("regex anywhere", q("{'type':'regex','pattern':'\\\\b42\\\\b'}"), "it is 42.", kGood);
        row("regex nowhere", q("{'type':'regex','pattern':'\\\\b42\\\\b'}"), "it is 421", 0);
        row("regex whole", q("{'type':'regex','pattern':'[0-9]+','whole':true}"), "it is 42", 0);
        row("regex case", q("{'type':'regex','pattern':'yes','ignore_case':true}"), "YES", kGood);
        const std::string schema =
            q("{'type':'json_schema','schema':{'type':'object','required':['a']}}");
        row("schema", schema, q("{'a':1}"), kGood);
        row("schema broken", schema, q("{'b':1}"), 0);
        row("fence is a fault", schema, "```json\n{\"a\":1}\n```", 0);
        row("fence allowed",
            q("{'type':'json_schema','allow_fence':true,'schema':{'required':['a']}}"),
            "```json\n{\"a\":1}\n```",
            kGood);
    }

    void checksTexts()
    {
        QFETCH(QByteArray, checker);
        QFETCH(QByteArray, text);
        QFETCH(qint64, score);
        const Judgement judgement =
            judge(caseOf(checker.toStdString()), Answer{text.toStdString(), {}, Ending::Whole});
        QCOMPARE(qint64{judgement.scorePpm.value()}, score);
    }

    void checksCalls()
    {
        const EvalCase found = caseOf(q("{'type':'regex','tool':'find','pattern':'\\'q\\':1'}"));
        const Answer called{"", {{"other", "{\"q\":1}"}, {"find", "{\"q\":1}"}}, Ending::Whole};
        QCOMPARE(judge(found, called).scorePpm.value(), kScoreWhole);
        QCOMPARE(
            judge(found, Answer{"\"q\":1", {}, Ending::Whole}).scorePpm.value(), std::int64_t{0});
    }

    void formStandsApart_data()
    {
        QTest::addColumn<QByteArray>("checker");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("ending");
        QTest::addColumn<QString>("form");
        QTest::addColumn<qint64>("score");
        const auto row = [](const char* name,
                            const std::string& checker,
                            const std::string& more,
                            const std::string& text,
                            Ending ending,
                            const char* form,
                            qint64 score) {
            QTest::newRow(name) << QByteArray::fromStdString(checker)
                                << QByteArray::fromStdString(more)
                                << QByteArray::fromStdString(text) << static_cast<int>(ending)
                                << QString(form) << score;
        };
        const std::string schema = q("{'type':'json_schema','schema':{'type':'object'}}");
        const std::string regex = q("{'type':'regex','pattern':'yes'}");
        const std::string format =
            q("'response_format':{'type':'json_schema','json_schema':{'name':'a',"
              "'schema':{'type':'object'}}},");
        row("valid", schema, "", "{}", Ending::Whole, "valid", kGood);
        row("invalid", schema, "", "[]", Ending::Whole, "invalid", 0);
        row("cut before valid", schema, "", "{\"a\":", Ending::Cut, "says nothing", 0);
        row("refused", schema, "", "", Ending::Refused, "says nothing", 0);
        row("no schema", regex, "", "yes", Ending::Whole, "says nothing", kGood);
        row("good form, wrong answer", regex, format, "{}", Ending::Whole, "valid", 0);
        row("bad form, right answer", regex, format, "yes", Ending::Whole, "invalid", kGood);
        row("cut, and yet right", regex, format, "yes", Ending::Cut, "says nothing", kGood);
    }

    void formStandsApart()
    {
        QFETCH(QByteArray, checker);
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, text);
        QFETCH(int, ending);
        QFETCH(QString, form);
        QFETCH(qint64, score);
        const Answer answer{text.toStdString(), {}, static_cast<Ending>(ending)};
        const Judgement judgement =
            judge(caseOf(checker.toStdString(), more.toStdString()), answer);
        QCOMPARE(validity(judgement), form);
        QCOMPARE(qint64{judgement.scorePpm.value()}, score);
    }

    /// A schema that branches on every level says nothing of an answer, least of all that it is
    /// bad.
    void whatCostsTooMuchIsUndecided()
    {
        std::string defs = q("'d0':{'type':'object'}");
        for (int i = 1; i < 30; ++i) {
            const std::string below = q("{'$ref':'#/$defs/d") + std::to_string(i - 1) + q("'}");
            defs.append(q(",'d")).append(std::to_string(i)).append(q("':{'allOf':["));
            defs.append(below).append(",").append(below).append("]}");
        }
        const EvalCase found = caseOf(
            q("{'type':'json_schema','schema':{'$ref':'#/$defs/d29','$defs':{") + defs + "}}}");
        const Judgement judgement = judge(found, Answer{q("{'x':1}"), {}, Ending::Whole});
        QVERIFY(judgement.undecided);
        QVERIFY(!judgement.schemaValid);
    }

    void aGradedCaseWaitsForItsGrade()
    {
        const EvalCase found = caseOf(q("{'type':'model_graded','rubric':'polite?'}"));
        QVERIFY(!judge(found, Answer{"Dear reader", {}, Ending::Whole}).scorePpm);
        QCOMPARE(judge(found, Answer{"", {}, Ending::Refused}).scorePpm.value(), std::int64_t{0});
    }

    void addsUp()
    {
        Tally tally;
        tally.add(3, Judgement{Ending::Whole, kScoreWhole, true, false}, kScoreWhole);
        tally.add(1, Judgement{Ending::Refused, 0, std::nullopt, false}, 0);
        tally.add(1, Judgement{Ending::Whole, 0, false, true}, 0);
        tally.add(1, Judgement{Ending::Cut, std::nullopt, std::nullopt, false}, kScoreWhole / 2);
        tally.addUnanswered();
        QualityScore score;
        tally.writeTo(score);
        QCOMPARE(score.scorePpm, std::int64_t{583'333});
        QCOMPARE(score.schemaValidPpm.value(), std::int64_t{500'000});
        QCOMPARE(score.refusedPpm.value(), std::int64_t{250'000});
        QCOMPARE(score.cases, std::int64_t{5});
        QCOMPARE(score.unanswered, std::int64_t{1});
        QCOMPARE(tally.soundRefused(), std::int64_t{1});
        QVERIFY(tally.isTelling());
    }

    void tooFewAnswersTellNothing()
    {
        Tally tally;
        QVERIFY(!tally.isTelling());
        tally.add(1, Judgement{}, kScoreWhole);
        tally.addUnanswered();
        QVERIFY(tally.isTelling());
        tally.addUnanswered();
        QVERIFY(!tally.isTelling());
    }
};

QTEST_APPLESS_MAIN(TestJudge)
#include "tst_judge.moc"
