// SPDX-License-Identifier: Apache-2.0
#include "common/base/text.h"

#include <QTest>

using namespace weir;

class TestText : public QObject
{
    Q_OBJECT

private slots:

    /// "?" in `clean` stands for U+FFFD.
    void cleans_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("clean");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& clean) {
            QTest::newRow(name) << text << clean;
        };
        row("plain", "task 7", "task 7");
        row("nothing", "", "");
        row("nul", QByteArray("a\0b", 3), "a?b");
        row("newline and escape", "a\n\x1B[1m", "a??[1m");
        row("delete", "a\x7F", "a?");
        row("c1 control", "a\xC2\x85", "a?");
        row("umlaut", "\xC3\xA4", "\xC3\xA4");
        row("euro", "\xE2\x82\xAC", "\xE2\x82\xAC");
        row("emoji", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80");
        row("lone continuation",
            "\x80"
            "a",
            "?a");
        row("cut sequence", "a\xE2\x82", "a??");
        row("overlong slash", "\xC0\xAF", "??");
        row("overlong of three", "\xE0\x80\xAF", "???");
        row("high surrogate", "\xED\xA0\x80", "???");
        row("low surrogate", "\xED\xBF\xBF", "???");
        row("above U+10FFFF", "\xF4\x90\x80\x80", "????");
        row("last code point", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF");
        row("last before the surrogates", "\xED\x9F\xBF", "\xED\x9F\xBF");
        row("never in UTF-8", "\xFE\xFF", "??");
    }

    void cleans()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, clean);
        clean.replace('?', "\xEF\xBF\xBD");
        const std::string result = cleaned(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(result), clean);
        QCOMPARE(cleaned(result), result);
    }

    void keepsAtMostSoManyCharacters()
    {
        QCOMPARE(cleaned(std::string(1U << 20U, 'x')).size(), 256U);
        QCOMPARE(cleaned("\xC3\xA4\xC3\xB6\xC3\xBC", 2), std::string{"\xC3\xA4\xC3\xB6"});
        QCOMPARE(cleaned("abc", 0), std::string{});
    }

    void comparesWithoutCase()
    {
        QVERIFY(equalsIgnoreCase("Content-Type", "content-tYPE"));
        QVERIFY(!equalsIgnoreCase("Content-Type", "Content-Typ"));
        // '[' and '{' differ by the same bit as 'A' and 'a'.
        QVERIFY(!equalsIgnoreCase("[", "{"));
    }

    void trims_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("trimmedText");
        QTest::newRow("both ends") << " \t a b\t"
                                   << "a b";
        QTest::newRow("only blanks") << " \t "
                                     << "";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("no newline") << "\na "
                                    << "\na";
    }

    void trims()
    {
        QFETCH(QString, text);
        QFETCH(QString, trimmedText);
        const std::string input = text.toStdString();
        QCOMPARE(QString::fromStdString(std::string{trimmed(input)}), trimmedText);
    }

    void takesListsApart()
    {
        using Elements = std::vector<std::string_view>;
        QCOMPARE(listElements("us, eu"), (Elements{"us", "eu"}));
        QCOMPARE(listElements(" , a\t,, b c ,"), (Elements{"a", "b c"}));
        QCOMPARE(listElements(" , "), Elements{});
        QCOMPARE(listElements(""), Elements{});
    }
};

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
