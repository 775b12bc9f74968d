// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"
#include "agent/config/units.h"

#include <QTest>

#include <array>
#include <limits>

using namespace weir::config;

/// The small things that error messages are made of.
class TstConfigWords : public QObject
{
    Q_OBJECT

private slots:
    void guesses_data();
    void guesses();
    void listsWhatIsKnown();
    void readsWhatWasMeant_data();
    void readsWhatWasMeant();
    void writesDecimals();
    void countsPricesExactly();
};

void TstConfigWords::guesses_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("guess");
    QTest::newRow("one letter left out") << "conect_timeout_ms"
                                         << "connect_timeout_ms";
    QTest::newRow("neighbours swapped") << "base_ulr"
                                        << "base_url";
    QTest::newRow("capitals") << "BASE_URL"
                              << "base_url";
    QTest::newRow("cut short") << "connect"
                               << "connect_timeout_ms";
    QTest::newRow("two begin like it") << "idl"
                                       << "";
    QTest::newRow("two as near") << "idle_"
                                 << "idle_a";
    QTest::newRow("nothing like it") << "frobnicate"
                                     << "";
    QTest::newRow("one letter, another") << "b"
                                         << "";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("endless") << QString(1000, 'a') << "";
}

void TstConfigWords::guesses()
{
    constexpr std::array<std::string_view, 5> kKnown{
        "a", "base_url", "connect_timeout_ms", "idle_a", "idle_b"};
    QFETCH(QString, word);
    QFETCH(QString, guess);
    const std::string text = word.toStdString();
    const auto found = nearest(text, kKnown);
    QCOMPARE(QString::fromStdString(std::string{found.value_or("")}), guess);
}

void TstConfigWords::listsWhatIsKnown()
{
    constexpr std::array<std::string_view, 13> kMany{
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    QCOMPARE(
        suggestion("xyz", kMany), std::string(": known are a, b, c, d, e, f, g, h, i, j, k, l, …"));
    QCOMPARE(suggestion("xyz", std::span{kMany}.first(1)), std::string(": known is a"));
    QCOMPARE(suggestion("xyz", {}), std::string());
}

void TstConfigWords::readsWhatWasMeant_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("unit");
    QTest::addColumn<qint64>("meant"); // -1: nothing
    const auto row = [](const char* text, Unit unit, qint64 meant) {
        QTest::newRow(text) << QString(text) << static_cast<int>(unit) << meant;
    };
    row("2s", Unit::Milliseconds, 2000);
    row("1.5 s", Unit::Milliseconds, 1500);
    row("250ms", Unit::Milliseconds, 250);
    row("2m", Unit::Seconds, 120);
    row("500ms", Unit::Seconds, -1);
    row("2000", Unit::Milliseconds, 2000);
    row("64 MiB", Unit::Bytes, 67108864);
    row("64k", Unit::Bytes, 65536);
    row("2s of it", Unit::Milliseconds, -1);
    row("2s ", Unit::Count, -1);
    row("soon", Unit::Milliseconds, -1);
    row("1e300s", Unit::Milliseconds, -1);
    row("nan", Unit::Milliseconds, -1);
    row("", Unit::Milliseconds, -1);
}

void TstConfigWords::readsWhatWasMeant()
{
    QFETCH(QString, text);
    QFETCH(int, unit);
    QFETCH(qint64, meant);
    const std::string given = text.toStdString();
    QCOMPARE(meantBy(given, static_cast<Unit>(unit)).value_or(-1), meant);
}

void TstConfigWords::writesDecimals()
{
    QCOMPARE(decimal(0.1), std::string("0.1"));
    QCOMPARE(decimal(600000), std::string("600000"));
    QCOMPARE(decimal(1.5e-9), std::string("0.0000000015"));
    QCOMPARE(decimal(1e300), std::string("1e+300"));
    QCOMPARE(decimal(std::numeric_limits<double>::quiet_NaN()), std::string("nan"));
}

void TstConfigWords::countsPricesExactly()
{
    // Every price of up to six decimals, in steps of a prime so that all endings occur.
    for (std::int64_t pico = 0; pico <= 1'000'000'000'000; pico += 99'999'989) {
        const std::string fraction = std::to_string(1'000'000 + pico % 1'000'000).substr(1);
        const std::string written = std::to_string(pico / 1'000'000) + '.' + fraction;
        QCOMPARE(picoPerToken(std::stod(written)).value_or(-1), pico);
        if (pico < 1'000'000'000) QVERIFY(!picoPerToken(std::stod(written + "1")));
    }
}

QTEST_APPLESS_MAIN(TstConfigWords)
#include "tst_config_words.moc"
