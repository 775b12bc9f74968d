// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_words.h"

#include "app/model/format.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace weir::model {
namespace {

constexpr Ms kSecond = 1'000;
constexpr Ms kMinute = 60 * kSecond;
constexpr Ms kHour = 60 * kMinute;
constexpr Ms kDay = 24 * kHour;

struct KindWords
{
    Glyph glyph;
    Tone tone;
    const char* word;
    /// Behind the provider's name, or the whole headline.
    const char* headline;
};

/// By IncidentKind.
constexpr std::array<KindWords, 16> kKinds{{
    {Glyph::TriangleDown, Tone::Warning, "backing off", "turns calls away (429)"},
    {Glyph::HalfDisc, Tone::Warning, "slow", "first tokens late"},
    {Glyph::Square, Tone::Critical, "down", "down"},
    {Glyph::Warning, Tone::Warning, "errors", "many answers fail"},
    {Glyph::Square, Tone::Critical, "no credit", "account out of credit"},
    {Glyph::Square, Tone::Critical, "key refused", "refuses the key"},
    {Glyph::Square, Tone::Off, "summary old", "no new summary, the fixed order serves"},
    {Glyph::HalfSquare, Tone::Warning, "gates local", "agents run their gates alone"},
    {Glyph::DiamondOpen, Tone::Warning, "gates reset", "shared gates lost their state"},
    {Glyph::Diamond, Tone::Neutral, "leads", "new leader"},
    {Glyph::Diamond, Tone::Warning, "lost lead", "lost the lead"},
    {Glyph::HalfSquare, Tone::Warning, "flapping", "the lead changes too often"},
    {Glyph::Warning, Tone::Warning, "price", "bills other prices"},
    {Glyph::Warning, Tone::Warning, "quality", "answers flagged for quality"},
    {Glyph::TriangleDown, Tone::Warning, "odd 429s", "429s that load does not explain"},
    {Glyph::Warning, Tone::Warning, "budget", "error budget burns too fast"},
}};

const KindWords& wordsOf(IncidentKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

} // namespace

Look lookOf(IncidentKind kind)
{
    const KindWords& words = wordsOf(kind);
    return {words.glyph, words.tone, QString::fromLatin1(words.word)};
}

Look stateOf(const Incident& incident)
{
    if (incident.endMs) return {Glyph::Check, Tone::Neutral, QStringLiteral("closed")};
    const Look look = lookOf(incident.kind);
    const Tone tone = look.tone == Tone::Neutral ? Tone::Warning : look.tone;
    return {look.glyph, tone, QStringLiteral("open")};
}

QString headline(const Incident& incident)
{
    const QString words = QString::fromLatin1(wordsOf(incident.kind).headline);
    if (!incident.provider.empty()) {
        return plain(incident.provider) + QStringLiteral(": ") + words;
    }
    return words.left(1).toUpper() + words.mid(1);
}

QString whereText(const Incident& incident)
{
    QStringList parts;
    if (!incident.model.empty()) parts << plain(incident.model);
    if (!incident.taskType.empty()) parts << plain(incident.taskType);
    if (parts.isEmpty()) {
        parts << (incident.provider.empty() ? QStringLiteral("fleet") : QStringLiteral("account"));
    }
    return parts.join(QStringLiteral(" · "));
}

Look lookOfEvent(const std::string& kind)
{
    const auto look = [](Glyph glyph, Tone tone, const char* word) {
        return Look{glyph, tone, QString::fromLatin1(word)};
    };
    if (kind == "onset") return look(Glyph::HalfDisc, Tone::Warning, "began");
    if (kind == "detected") return look(Glyph::Warning, Tone::Warning, "found");
    if (kind == "peak") return look(Glyph::TriangleDown, Tone::Warning, "worst");
    if (kind == "closed") return look(Glyph::Check, Tone::Ok, "closed");
    if (kind == "reopened") return look(Glyph::Warning, Tone::Warning, "open again");
    if (kind == "leader_change") return look(Glyph::Diamond, Tone::Neutral, "leader");
    if (kind == "leader_return") return look(Glyph::Diamond, Tone::Ok, "leader back");
    if (kind == "gate_cut") return look(Glyph::TriangleDown, Tone::Neutral, "rate cut");
    if (kind == "breaker_open") return look(Glyph::Square, Tone::Critical, "breaker");
    return {Glyph::Circle, Tone::Neutral, plain(kind).replace(QChar('_'), QChar(' '))};
}

QString titleOf(NoteSection section)
{
    static constexpr std::array<const char*, kNoteSectionCount> kTitles = {
        "Timeline",
        "Overview",
        "What happened",
        "Contributing factors",
        "Resolution",
        "Impact",
        "Responders",
        "What went well",
        "What did not go well",
        "Action item"};
    return QString::fromLatin1(kTitles[static_cast<std::size_t>(section)]);
}

QString stampText(Ms time)
{
    static const QLocale kEnglish(QLocale::C);
    return kEnglish.toString(
               QDateTime::fromMSecsSinceEpoch(time, Qt::UTC), QStringLiteral("d MMM hh:mm:ss")) +
           QChar('Z');
}

QString spanText(Ms length)
{
    const Ms left = std::max<Ms>(0, length);
    const auto text = [](Ms whole, const char* unit) {
        return QString::number(whole) + QChar(' ') + QString::fromLatin1(unit);
    };
    if (left < 2 * kMinute) return text(left / kSecond, "s");
    if (left < kHour) return text(left / kMinute, "m");
    const bool isDays = left >= 2 * kDay;
    const Ms unit = isDays ? kDay : kHour;
    const Ms part = left % unit / (isDays ? kHour : kMinute);
    QString words = text(left / unit, isDays ? "d" : "h");
    if (part > 0) words += QChar(' ') + text(part, isDays ? "h" : "m");
    return words;
}

QString countText(std::int64_t count)
{
    static const QLocale kEnglish(QLocale::English, QLocale::UnitedStates);
    return kEnglish.toString(static_cast<qlonglong>(count));
}

Ms lastEvidence(const Incident& incident)
{
    Ms newest = std::max(incident.detectedMs, incident.peakMs);
    for (const IncidentEvent& event : incident.events)
        newest = std::max(newest, event.atMs);
    return newest;
}

} // namespace weir::model
