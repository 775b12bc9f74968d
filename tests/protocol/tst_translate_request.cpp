// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"
#include "agent/protocol/translate_request.h"
#include "tests/protocol/golden_request.h"
#include "tests/protocol/json_mutation.h"
#include "tests/protocol/padded.h"
#include "tests/protocol/translation_promises.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <random>

using namespace weir;
using namespace weir::protocol;

/// Requests of one protocol for a provider of the other: every file of golden/requests.
class TestTranslateRequest final : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void keepsItsPromises_data();
    void keepsItsPromises();
};

void TestTranslateRequest::golden_data()
{
    QTest::addColumn<QByteArray>("text");
    const QDir folder(QStringLiteral(WEIR_GOLDEN_REQUESTS));
    const QStringList names = folder.entryList({"*.txt"}, QDir::Files, QDir::Name);
    QVERIFY(names.size() > 5);
    for (const QString& name : names) {
        QFile file(folder.filePath(name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
        QTest::newRow(qPrintable(name.chopped(4))) << file.readAll();
    }
}

void TestTranslateRequest::golden()
{
    QFETCH(QByteArray, text);
    const auto golden =
        golden::readRequestCase({text.data(), static_cast<std::size_t>(text.size())});
    QVERIFY2(!golden.fault, golden.fault.value_or(std::string{}).c_str());
    QVERIFY2(golden.upstream.empty() != golden.refused.empty(), "upstream: or refused:, not both");
    const Padded body(golden.request);
    json::Tree tree;
    QVERIFY2(tree.readPadded(body.view()), "the request is no JSON object");
    const auto broken = promises::broken(golden.client, golden.request);
    QVERIFY2(!broken, broken.value_or(std::string{}).c_str());
    const auto refusal = inexpressible(golden.client, tree.root(), golden.target);
    const auto upstream = translateRequest(golden.client, tree.root(), golden.target);
    QCOMPARE(refusal.has_value(), !upstream.has_value());
    if (golden.refused.empty()) {
        QVERIFY2(upstream, refusal ? refusal->message.c_str() : "");
        QCOMPARE(
            shown(golden::withoutBlanks(*upstream)), shown(golden::withoutBlanks(golden.upstream)));
        QCOMPARE(
            shown(*translateRequest(golden.client, tree.root(), golden.target)), shown(*upstream));
        return;
    }
    QVERIFY2(!upstream, upstream ? upstream->c_str() : "");
    QCOMPARE(shown(upstream.error().param), shown(golden.refused));
    QVERIFY2(
        upstream.error().message.find(golden.says) != std::string::npos,
        upstream.error().message.c_str());
    QVERIFY(upstream.error().message.find(golden.refused) != std::string::npos);
    QCOMPARE(upstream.error().status, 400);
    QCOMPARE(shown(upstream.error().type), QString("invalid_request_error"));
    QCOMPARE(shown(refusal->message), shown(upstream.error().message));
    QCOMPARE(shown(refusal->param), shown(upstream.error().param));
}

void TestTranslateRequest::keepsItsPromises_data()
{
    golden_data();
}

/// Requests near those of the files, which are right in one place and odd in the next.
void TestTranslateRequest::keepsItsPromises()
{
    constexpr int kRounds = 40;
    QFETCH(QByteArray, text);
    const auto golden =
        golden::readRequestCase({text.data(), static_cast<std::size_t>(text.size())});
    std::mt19937 random(1);
    for (int round = 0; round < kRounds; ++round) {
        const std::string request = mutatedJson(golden.request, random);
        const auto broken = promises::broken(golden.client, request);
        QVERIFY2(!broken, (broken.value_or("") + ": " + request).c_str());
    }
}

QTEST_APPLESS_MAIN(TestTranslateRequest)
#include "tst_translate_request.moc"
