// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/glyphs.h"
#include "app/view/theme.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <array>
#include <cmath>

using namespace weir;
using view::Theme;

namespace {

using Linear = std::array<double, 3>;

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Linear linear(const QColor& colour)
{
    return {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
}

/// WCAG 2.1.
double contrast(const QColor& a, const QColor& b)
{
    const auto luminance = [](const QColor& colour) {
        const Linear c = linear(colour);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    };
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

/// CIE L*a*b* under D65.
Linear lab(const Linear& c)
{
    const double x = (0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047;
    const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    const double z = (0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
    return {116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))};
}

using Matrix = std::array<std::array<double, 3>, 3>;

/// Machado, Oliveira and Fernandes 2009, severity 1.
const std::array<Matrix, 3> kDeficiencies{{
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

Linear seen(const QColor& colour, const Matrix& eye)
{
    const Linear c = linear(colour);
    Linear result{};
    for (std::size_t row = 0; row < 3; ++row) {
        const double value = eye[row][0] * c[0] + eye[row][1] * c[1] + eye[row][2] * c[2];
        result[row] = std::clamp(value, 0.0, 1.0);
    }
    return result;
}

double distance(const Linear& a, const Linear& b)
{
    const Linear p = lab(a);
    const Linear q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

} // namespace

class TestConsoleTheme final : public QObject
{
    Q_OBJECT

private slots:

    void coloursCanBeReadAndToldApart_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void coloursCanBeReadAndToldApart()
    {
        QFETCH(bool, isDark);
        const Theme& theme = isDark ? Theme::dark() : Theme::light();
        for (const QColor& colour : theme.providers)
            QVERIFY(contrast(colour, theme.card) >= 3.0);
        for (const QColor& ground : {theme.card, theme.window, theme.hover}) {
            QVERIFY(contrast(theme.text, ground) >= 4.5);
            QVERIFY(contrast(theme.muted, ground) >= 4.5);
        }
        for (std::size_t tone = 0; tone < theme.toneText.size(); ++tone) {
            QVERIFY(contrast(theme.toneText[tone], theme.card) >= 4.5);
            QVERIFY(contrast(theme.toneOnFill[tone], theme.toneFill[tone]) >= 4.5);
        }
    }

    void providersStayApartForEveryEye_data() { coloursCanBeReadAndToldApart_data(); }

    void providersStayApartForEveryEye()
    {
        QFETCH(bool, isDark);
        const auto& colours = (isDark ? Theme::dark() : Theme::light()).providers;
        for (const Matrix& eye : kDeficiencies) {
            for (std::size_t i = 0; i < colours.size(); ++i) {
                for (std::size_t j = i + 1; j < colours.size(); ++j) {
                    const double apart = distance(seen(colours[i], eye), seen(colours[j], eye));
                    QVERIFY2(
                        apart >= 12.0,
                        qPrintable(QStringLiteral("%1 and %2: %3").arg(i).arg(j).arg(apart)));
                }
            }
        }
    }

    void dashesDiffer()
    {
        for (int i = 0; i < 6; ++i) {
            for (int j = i + 1; j < 6; ++j)
                QVERIFY(view::dashOf(i) != view::dashOf(j));
        }
    }

    void digitsAreEquallyWide_data()
    {
        QTest::addColumn<QFont>("font");
        QTest::newRow("text") << view::uiFont(20.0);
        QTest::newRow("medium") << view::uiFont(19.0, QFont::Medium);
        QTest::newRow("ids") << view::monoFont(20.0);
    }

    void digitsAreEquallyWide()
    {
        QFETCH(QFont, font);
        QVERIFY2(QFontDatabase::families().contains(font.family()), qPrintable(font.family()));
        const QFontMetricsF metrics(font);
        for (const QChar digit : QStringLiteral("023456789")) {
            QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QChar('1')));
        }
    }

    void everyGlyphIsItsOwnShape()
    {
        QList<QImage> shapes;
        for (int i = 0; i <= static_cast<int>(model::Glyph::Warning); ++i) {
            QImage image(48, 48, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            view::paintGlyph(
                painter, static_cast<model::Glyph>(i), QRectF(8, 8, 32, 32), Qt::black);
            painter.end();
            for (const QImage& other : shapes)
                QVERIFY(image != other);
            shapes << image;
        }
    }
};

QTEST_MAIN(TestConsoleTheme)
#include "tst_console_theme.moc"
