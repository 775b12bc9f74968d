// SPDX-License-Identifier: Apache-2.0
#include "common/base/time.h"

#include <QTest>

using namespace weir;

class TestTime : public QObject
{
    Q_OBJECT

private slots:

    void writes_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QString>("text");
        QTest::newRow("epoch") << qint64{0} << "1970-01-01T00:00:00.000Z";
        QTest::newRow("a day of 2026") << qint64{1'796'032'800'123} << "2026-11-30T10:00:00.123Z";
        QTest::newRow("leap day") << qint64{951'827'696'789} << "2000-02-29T12:34:56.789Z";
        QTest::newRow("before the epoch") << qint64{-1} << "1969-12-31T23:59:59.999Z";
    }

    void writes()
    {
        QFETCH(qint64, ms);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(toIso(fromEpochMs(ms))), text);
        QCOMPARE(epochMs(parseIso(text.toStdString()).value()), ms);
    }

    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("iso");
        const char* noon = "2026-11-30T10:00:00.000Z";
        QTest::newRow("no fraction") << "2026-11-30T10:00:00Z" << noon;
        QTest::newRow("lower case") << "2026-11-30t10:00:00z" << noon;
        QTest::newRow("space") << "2026-11-30 10:00:00Z" << noon;
        QTest::newRow("east") << "2026-11-30T11:30:00+01:30" << noon;
        QTest::newRow("west") << "2026-11-30T02:00:00-08:00" << noon;
        QTest::newRow("one digit") << "2026-11-30T10:00:00.5Z"
                                   << "2026-11-30T10:00:00.500Z";
        QTest::newRow("nanoseconds") << "2026-11-30T10:00:00.123456789Z"
                                     << "2026-11-30T10:00:00.123Z";
        QTest::newRow("leap second") << "2026-12-31T23:59:60Z"
                                     << "2027-01-01T00:00:00.000Z";
        QTest::newRow("no zone") << "2026-11-30T10:00:00"
                                 << "";
        QTest::newRow("date only") << "2026-11-30"
                                   << "";
        QTest::newRow("no such day") << "2026-02-29T00:00:00Z"
                                     << "";
        QTest::newRow("month 13") << "2026-13-01T00:00:00Z"
                                  << "";
        QTest::newRow("hour 24") << "2026-11-30T24:00:00Z"
                                 << "";
        QTest::newRow("minute 60") << "2026-11-30T10:60:00Z"
                                   << "";
        QTest::newRow("dot without digits") << "2026-11-30T10:00:00.Z"
                                            << "";
        QTest::newRow("something behind") << "2026-11-30T10:00:00Zx"
                                          << "";
        QTest::newRow("signs for digits") << "2026-11-30T-1:00:00Z"
                                          << "";
        QTest::newRow("offset of 24 h") << "2026-11-30T10:00:00+24:00"
                                        << "";
        QTest::newRow("nothing") << ""
                                 << "";
    }

    void reads()
    {
        QFETCH(QString, text);
        QFETCH(QString, iso);
        const Result<UtcTime> time = parseIso(text.toStdString());
        QCOMPARE(time.has_value(), !iso.isEmpty());
        if (time)
            QCOMPARE(QString::fromStdString(toIso(*time)), iso);
        else
            QCOMPARE(time.error().code, std::string{"bad_time"});
    }
};

QTEST_APPLESS_MAIN(TestTime)
#include "tst_time.moc"
