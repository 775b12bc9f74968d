// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/answer_metadata.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

class TestAnswerMetadata final : public QObject
{
    Q_OBJECT

private slots:
    void saysHowItWasRouted();
    void standsInTheLastObject_data();
    void standsInTheLastObject();
};

void TestAnswerMetadata::saysHowItWasRouted()
{
    AnswerFields fields;
    fields.requestId = "req-1";
    fields.provider = "p";
    fields.route = "p/x@us";
    fields.reason = Reason::Failover;
    fields.attempts = 2;
    TokenUsage usage;
    usage.inputUncached = 20;
    usage.output = 7;
    usage.estimated = true;
    QCOMPARE(
        QString::fromStdString(metadataMember(fields, usage, 31)),
        QString(R"("weir":{"request_id":"req-1","provider":"p","route":"p/x@us",)"
                R"("reason":"failover","mode":"fixed","level":"L0","attempts":2,)"
                R"("usage":{"input_uncached":20,"output":7,"estimated":true},)"
                R"("cost_micro_usd":31})"));
    QVERIFY(!QString::fromStdString(metadataMember(fields, {}, {})).contains("cost"));
}

void TestAnswerMetadata::standsInTheLastObject_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("document") << R"({"a":{"b":1}} )"
                              << R"({"a":{"b":1},"w":1} )";
    QTest::newRow("empty object") << "{ }"
                                  << R"({ "w":1})";
    QTest::newRow("before the terminator")
        << "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n"
        << "data: {\"a\":1}\n\ndata: {\"b\":2,\"w\":1}\n\ndata: [DONE]\n\n";
    QTest::newRow("behind it comments and a ping")
        << "data: {\"b\":{}}\n\n: {} \n\nevent: ping\ndata: {\"type\":\"ping\"}\n\ndata: plain "
           "}\n\n"
        << "data: {\"b\":{},\"w\":1}\n\n: {} \n\nevent: ping\ndata: {\"type\":\"ping\"}\n\ndata: "
           "plain }\n\n";
    QTest::newRow("carriage returns") << "data: {\"b\":2}\r\rdata: [DONE]\r\r"
                                      << "data: {\"b\":2,\"w\":1}\r\rdata: [DONE]\r\r";
    QTest::newRow("no object") << "data: [DONE]\n\n"
                               << "data: [DONE]\n\n";
}

void TestAnswerMetadata::standsInTheLastObject()
{
    QFETCH(QString, text);
    std::string changed = text.toStdString();
    if (text.startsWith("data")) {
        addMemberToLastEvent(changed, "\"w\":1");
    } else {
        addMember(changed, "\"w\":1");
    }
    QTEST(QString::fromStdString(changed), "expected");
}

QTEST_APPLESS_MAIN(TestAnswerMetadata)
#include "tst_answer_metadata.moc"
