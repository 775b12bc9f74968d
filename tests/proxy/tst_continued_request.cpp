// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/continued_request.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

class TestContinuedRequest final : public QObject
{
    Q_OBJECT

private slots:
    void endsWithTheTextSoFar_data();
    void endsWithTheTextSoFar();
};

void TestContinuedRequest::endsWithTheTextSoFar_data()
{
    QTest::addColumn<QString>("messages");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("toAnthropic");
    QTest::addColumn<QString>("last");
    const char* const user = R"([ {"role":"user","content":"hi"} ])";
    QTest::newRow("plain") << user << "so \\u00e9" << false << "so \\u00e9";
    QTest::newRow("a blank at the end") << user << R"(so\n \t )" << true << "so";
    QTest::newRow("which others take") << user << R"(so\n )" << false << R"(so\n )";
    QTest::newRow("a backslash and a letter") << user << R"(C:\\n)" << true << R"(C:\\n)";
    QTest::newRow("begun by the client")
        << R"([{"role":"user","content":"hi"},{"role":"assistant","content":"Pre"}])"
        << "so" << false << QString();
    QTest::newRow("no messages") << "[]"
                                 << "so" << false << QString();
}

void TestContinuedRequest::endsWithTheTextSoFar()
{
    QFETCH(QString, messages);
    QFETCH(QString, text);
    QFETCH(bool, toAnthropic);
    QFETCH(QString, last);
    BodyBuffer body;
    body.append((R"({"model":"m","messages":)" + messages + R"(,"n":1})").toStdString());
    const BodyBuffer longer = continuedRequest(
        body.view(), text.toStdString(), toAnthropic ? Protocol::Anthropic : Protocol::OpenAi);
    const QString said = QString::fromStdString(std::string{longer.view()});
    if (last.isNull()) {
        QVERIFY2(said.isEmpty(), qPrintable(said));
        return;
    }
    QString expected = messages;
    expected.insert(
        expected.lastIndexOf(']'), R"(,{"role":"assistant","content":")" + last + "\"}");
    QCOMPARE(said, R"({"model":"m","messages":)" + expected + R"(,"n":1})");
}

QTEST_APPLESS_MAIN(TestContinuedRequest)
#include "tst_continued_request.moc"
