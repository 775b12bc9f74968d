// SPDX-License-Identifier: Apache-2.0
#include "tests/config/sample.h"

#include <QFile>
#include <QTest>

using namespace weir::config;

/// Every way in which a file can be wrong, and the exact lines that a person reads then.
class TstConfigBroken : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
};

void TstConfigBroken::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("errors");
    QFile file(QStringLiteral(WEIR_BROKEN_FILES));
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QString all = QString::fromUtf8(file.readAll());
    const QStringList cases = all.split(QStringLiteral("\n== ")).mid(1);
    QVERIFY(cases.size() > 90);
    for (const QString& one : cases) {
        const QStringList lines = one.trimmed().split('\n');
        const QStringList title = lines.front().split(QStringLiteral(" @ "));
        QStringList body;
        QStringList errors;
        for (const QString& line : lines.mid(1)) {
            if (line.startsWith(QStringLiteral("=> ")))
                errors << line.mid(3);
            else
                body << line;
        }
        const std::string inserted = body.join('\n').toStdString() + '\n';
        const std::string text = title.at(1) == QStringLiteral("alone")
                                     ? inserted
                                     : smallest(title.at(1).toStdString(), inserted);
        QVERIFY2(!errors.isEmpty(), qPrintable(title.front()));
        QTest::newRow(qPrintable(title.front()))
            << QString::fromStdString(text) << errors.join('\n');
    }
}

void TstConfigBroken::saysWhatIsWrong()
{
    QFETCH(QString, text);
    QFETCH(QString, errors);
    const QString said = QString::fromStdString(errorsOf(text.toStdString()));
    QCOMPARE(said, errors);
    QVERIFY2(!said.contains(QStringLiteral("canary")), "an error repeats a secret");
}

QTEST_APPLESS_MAIN(TstConfigBroken)
#include "tst_config_broken.moc"
