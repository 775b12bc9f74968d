// SPDX-License-Identifier: Apache-2.0
#include "common/base/secret.h"

#include <QTest>

#include <ostream>
#include <type_traits>

using namespace weir;

namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value)
{
    out << value;
};

} // namespace

class TestSecret : public QObject
{
    Q_OBJECT

private slots:

    void cannotBePrinted()
    {
        static_assert(!Printable<Secret>);
        static_assert(!std::is_convertible_v<Secret, std::string_view>);
        QCOMPARE(Secret{"sk-canary"}.masked(), std::string{"****"});
        QCOMPARE(Secret{}.masked(), std::string{"(unset)"});
        QVERIFY(Secret{}.empty());
    }

    void equals_data()
    {
        QTest::addColumn<QString>("secret");
        QTest::addColumn<QString>("candidate");
        QTest::addColumn<bool>("equal");
        QTest::newRow("same") << "key"
                              << "key" << true;
        QTest::newRow("first differs") << "key"
                                       << "Key" << false;
        QTest::newRow("last differs") << "key"
                                      << "keY" << false;
        QTest::newRow("prefix") << "key"
                                << "ke" << false;
        QTest::newRow("longer") << "key"
                                << "keyk" << false;
        QTest::newRow("repeated") << "key"
                                  << "keykey" << false;
        QTest::newRow("nothing offered") << "key"
                                         << "" << false;
        QTest::newRow("nothing set") << ""
                                     << "key" << false;
    }

    void equals()
    {
        QFETCH(QString, secret);
        QFETCH(QString, candidate);
        QFETCH(bool, equal);
        QCOMPARE(Secret{secret.toStdString()}.equals(candidate.toStdString()), equal);
    }
};

QTEST_APPLESS_MAIN(TestSecret)
#include "tst_secret.moc"
