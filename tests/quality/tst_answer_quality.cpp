// SPDX-License-Identifier: Apache-2.0
#include "common/quality/answer.h"
#include "tests/quality/quotes.h"

#include <QTest>

using namespace weir;
using namespace weir::quality;

class TestAnswerQuality : public QObject
{
    Q_OBJECT

private slots:

    void reads_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("ending");
        const auto row = [](const char* name,
                            const std::string& message,
                            const char* finish,
                            const char* text,
                            Ending ending) {
            const std::string json = q("{'choices':[{'message':") + message +
                                     q(",'finish_reason':'") + finish + q("'}]}");
            QTest::newRow(name) << QByteArray::fromStdString(json) << QByteArray(text)
                                << static_cast<int>(ending);
        };
        row("a text", q("{'content':'yes'}"), "stop", "yes", Ending::Whole);
        row("parts",
            q("{'content':[{'type':'text','text':'y'},{'type':'text','text':'es'}]}"),
            "stop",
            "yes",
            Ending::Whole);
        row("cut", q("{'content':'{\\'a\\':'}"), "length", "{\"a\":", Ending::Cut);
        row("filtered", q("{'content':''}"), "content_filter", "", Ending::Refused);
        row("refusal member", q("{'content':null,'refusal':'No.'}"), "stop", "", Ending::Refused);
        row("refusal part",
            q("{'content':[{'type':'refusal','refusal':'No.'}]}"),
            "stop",
            "",
            Ending::Refused);
        row("refusal before length", q("{'refusal':'No.'}"), "length", "", Ending::Refused);
        row("an empty refusal is none",
            q("{'content':'yes','refusal':''}"),
            "stop",
            "yes",
            Ending::Whole);
        row("words are no proof",
            q("{'content':'I cannot help with that.'}"),
            "stop",
            "I cannot help with that.",
            Ending::Whole);
    }

    void reads()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, text);
        QFETCH(int, ending);
        const Result<Answer> answer = readChatAnswer(json.toStdString());
        QVERIFY(answer.has_value());
        QCOMPARE(QByteArray::fromStdString(answer->text), text);
        QCOMPARE(static_cast<int>(answer->ending), ending);
    }

    void readsCalls()
    {
        const Result<Answer> answer = readChatAnswer(
            q("{'choices':[{'message':{'content':null,'tool_calls':[7,{'function':1},"
              "{'function':{'name':'find','arguments':'{\\'q\\':1}'}}]},"
              "'finish_reason':'tool_calls'}]}"));
        QVERIFY(answer.has_value());
        QCOMPARE(answer->calls.size(), std::size_t{1});
        QCOMPARE(answer->calls[0].name, std::string{"find"});
        QCOMPARE(answer->calls[0].arguments, q("{'q':1}"));
    }

    void refusesWhatIsNoAnswer_data()
    {
        QTest::addColumn<QByteArray>("json");
        for (const std::string& json : std::vector<std::string>{
                 "",
                 "<html>",
                 "[]",
                 "{}",
                 q("{'choices':[]}"),
                 q("{'choices':[1]}"),
                 q("{'choices':[{'message':1}]}")})
            QTest::newRow(json.c_str()) << QByteArray::fromStdString(json);
    }

    void refusesWhatIsNoAnswer()
    {
        QFETCH(QByteArray, json);
        const Result<Answer> answer = readChatAnswer(json.toStdString());
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, std::string{"not_an_answer"});
    }

    void hearsRefusals_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("refused");
        QTest::newRow("plain") << QByteArray("I'm sorry, but I can't help with that.") << true;
        QTest::newRow("curly") << QByteArray("I\xe2\x80\x99m unable to do so.") << true;
        QTest::newRow("an answer") << QByteArray("The refund is due on Monday.") << false;
        QTest::newRow("late") << QByteArray(QByteArray(500, 'a') + "I cannot assist") << false;
        QTest::newRow("cut in a character")
            << QByteArray(QByteArray(119, 'a') + "\xe2\x80\x99") << false;
    }

    void hearsRefusals()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, refused);
        QCOMPARE(soundsRefused(text.toStdString()), refused);
    }
};

QTEST_APPLESS_MAIN(TestAnswerQuality)
#include "tst_answer_quality.moc"
