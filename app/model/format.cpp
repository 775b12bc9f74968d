// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"

#include "common/base/text.h"

#include <cmath>

namespace weir::model {
namespace {

/// Embeddings, overrides and isolates, and the marks that steer them (Unicode TR 9).
bool changesDirection(QChar c)
{
    const ushort code = c.unicode();
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x200E || code == 0x200F || code == 0x061C || code == 0x2028 || code == 0x2029;
}

bool isKnown(std::optional<double> value)
{
    return value && std::isfinite(*value);
}

/// Three figures that mean something, without exponents.
QString figures(double value)
{
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return QString::number(value, 'f', decimals);
}

} // namespace

QString unknown()
{
    return QStringLiteral("—");
}

QString plain(std::string_view text, std::size_t maxCharacters)
{
    const std::string fit = cleaned(text, maxCharacters);
    QString result = QString::fromUtf8(fit.data(), static_cast<qsizetype>(fit.size()));
    for (QChar& c : result) {
        if (changesDirection(c)) c = QChar::ReplacementCharacter;
    }
    return result;
}

QString seconds(std::optional<double> value)
{
    return isKnown(value) ? figures(*value) + QStringLiteral(" s") : unknown();
}

QString secondsFromMs(std::optional<double> valueMs)
{
    return isKnown(valueMs) ? seconds(*valueMs / 1000.0) : unknown();
}

QString percent(std::optional<double> share)
{
    if (!isKnown(share)) return unknown();
    const double value = *share * 100.0;
    if (value > 0.0 && value < 0.05) return QStringLiteral("<0.1 %");
    return QString::number(value, 'f', 1) + QStringLiteral(" %");
}

QString rate(std::optional<double> value)
{
    if (!isKnown(value)) return unknown();
    return *value == 0.0 ? QStringLiteral("0") : figures(*value);
}

QString money(std::optional<std::int64_t> microUsd)
{
    if (!microUsd) return unknown();
    const double usd = static_cast<double>(*microUsd) / 1e6;
    if (usd != 0.0 && std::abs(usd) < 0.00005) return QStringLiteral("<$0.0001");
    const int decimals = std::abs(usd) < 1.0 ? 4 : std::abs(usd) < 100.0 ? 2 : 0;
    const QString sign = usd < 0.0 ? QStringLiteral("-$") : QStringLiteral("$");
    return sign + QString::number(std::abs(usd), 'f', decimals);
}

QString age(Duration value)
{
    using namespace std::chrono;
    const auto whole =
        std::max<std::int64_t>(0, duration_cast<std::chrono::seconds>(value).count());
    if (whole < 120) return QString::number(whole) + QStringLiteral(" s");
    if (whole < 2 * 3600) return QString::number(whole / 60) + QStringLiteral(" m");
    if (whole < 2 * 86400) return QString::number(whole / 3600) + QStringLiteral(" h");
    return QString::number(whole / 86400) + QStringLiteral(" d");
}

QString elapsed(Duration value)
{
    const double wait = std::max(0.0, std::chrono::duration<double>(value).count());
    return QString::number(wait, 'f', wait < 99.95 ? 1 : 0) + QStringLiteral(" s");
}

QString clockText(UtcTime time)
{
    return QString::fromStdString(toIso(time)).mid(11, 8) + QStringLiteral("Z");
}

QString counted(std::int64_t count, const QString& noun)
{
    return QString::number(count) + QChar(' ') + noun +
           (count == 1 ? QString() : QStringLiteral("s"));
}

} // namespace weir::model
