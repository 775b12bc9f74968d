// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/betas.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

class TestBetas final : public QObject
{
    Q_OBJECT

private slots:
    void whatGoesUpstream_data();
    void whatGoesUpstream();
};

void TestBetas::whatGoesUpstream_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("allowed");
    QTest::addColumn<QString>("optional");
    QTest::addColumn<QString>("forwarded");
    QTest::addColumn<QString>("missing");
    QTest::newRow("none") << ""
                          << "*"
                          << ""
                          << ""
                          << "";
    QTest::newRow("all allowed") << "a-1, b-2"
                                 << "*"
                                 << ""
                                 << "a-1,b-2"
                                 << "";
    QTest::newRow("by name") << "a-1,b-2"
                             << "b-2 a-1"
                             << ""
                             << "a-1,b-2"
                             << "";
    QTest::newRow("by beginning") << "context-1m-2025"
                                  << "context-1m-*"
                                  << ""
                                  << "context-1m-2025"
                                  << "";
    QTest::newRow("not known") << "a-1,x-1,y-1"
                               << "a-1"
                               << ""
                               << "a-1"
                               << "x-1";
    QTest::newRow("a longer name") << "a-12"
                                   << "a-1"
                                   << ""
                                   << ""
                                   << "a-12";
    QTest::newRow("can do without") << "x-1,a-1"
                                    << "a-*"
                                    << "x-*"
                                    << "a-1"
                                    << "";
    QTest::newRow("blanks and commas") << " , a-1 ,, "
                                       << "*"
                                       << ""
                                       << "a-1"
                                       << "";
}

void TestBetas::whatGoesUpstream()
{
    QFETCH(QString, asked);
    QFETCH(QString, allowed);
    QFETCH(QString, optional);
    const auto words = [](const QString& text) {
        std::vector<std::string> list;
        for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
            list.push_back(word.toStdString());
        return list;
    };
    ProviderConfig provider;
    provider.betas = words(allowed);
    const std::string list = asked.toStdString();
    const BetaChoice choice = betasFor(list, provider, words(optional));
    QTEST(QString::fromStdString(choice.forwarded), "forwarded");
    QTEST(QString::fromStdString(std::string{choice.missing}), "missing");
}

QTEST_APPLESS_MAIN(TestBetas)
#include "tst_betas.moc"
