// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/drill_texts.h"

#include "app/model/format.h"

#include <array>
#include <set>

namespace weir::model {
namespace {

using Windows = std::array<const DrillWindow*, 3>;

QString msText(std::optional<std::int64_t> ms)
{
    return secondsFromMs(ms ? std::optional{static_cast<double>(*ms)} : std::nullopt);
}

/// "10:07:12Z", with the day where that is another one.
QString timeText(UtcTime time, UtcTime now)
{
    const QString day = QString::fromStdString(toIso(time)).left(10);
    const bool isToday = QString::fromStdString(toIso(now)).startsWith(day);
    return (isToday ? QString() : day + QChar(' ')) + clockText(time);
}

QString shareText(const DrillWindow& window, std::uint64_t count)
{
    return window.ladder.requests == 0 ? unknown() : percent(window.ladder.shareOf(count));
}

template <class Text>
GridRow rowOf(const QString& name, const Windows& windows, const Text& text)
{
    GridRow row{name, {}};
    row.cells.push_back({.text = name});
    for (const DrillWindow* window : windows)
        row.cells.push_back({.text = text(*window)});
    return row;
}

QString countText(std::uint64_t count)
{
    return QString::number(static_cast<qulonglong>(count));
}

void addProviders(std::vector<GridRow>& rows, const DrillReport& report, const Windows& windows)
{
    std::set<std::string> names{report.drill.provider};
    for (const DrillWindow* window : windows) {
        for (const auto& [provider, count] : window->providers)
            names.insert(provider);
    }
    for (const std::string& name : names) {
        const auto text = [&name](const DrillWindow& window) {
            const auto found = window.providers.find(name);
            return shareText(window, found == window.providers.end() ? 0 : found->second);
        };
        rows.push_back(rowOf(QStringLiteral("To ") + plain(name), windows, text));
    }
}

void addLevels(std::vector<GridRow>& rows, const Windows& windows)
{
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const auto text = [level](const DrillWindow& window) {
            return shareText(window, window.ladder.levels[level].requests);
        };
        bool isUsed = false;
        for (const DrillWindow* window : windows)
            isUsed = isUsed || window->ladder.levels[level].requests > 0;
        if (isUsed) rows.push_back(rowOf(QStringLiteral("At L%1").arg(level), windows, text));
    }
}

QString endText(const store::StoredDrill& stored, UtcTime now)
{
    const Drill& drill = stored.drill;
    if (!drill.endedAt) {
        return QStringLiteral("Not over yet: it ends by itself at ") + timeText(drill.endsAt, now);
    }
    const QString when = timeText(*drill.endedAt, now);
    if (drill.endReason == "time") return QStringLiteral("Its time was over at ") + when;
    const bool isAborted = drill.endReason == "aborted";
    return (isAborted ? QStringLiteral("Aborted at ") : QStringLiteral("Stopped at ")) + when +
           QStringLiteral(" by ") + plain(stored.endedBy) + QStringLiteral(": ") +
           plain(stored.endText);
}

} // namespace

QString drillKindText(DrillKind kind)
{
    switch (kind) {
    case DrillKind::Breaker:
        return QStringLiteral("breaker open");
    case DrillKind::RateLimit:
        return QStringLiteral("429s");
    case DrillKind::Error:
        return QStringLiteral("503s");
    case DrillKind::Delay:
        return QStringLiteral("delay");
    }
    return {};
}

QString drillEffect(const Drill& drill)
{
    const QString route = plain(drill.provider);
    if (drill.kind == DrillKind::Breaker) {
        return QStringLiteral("the breaker of ") + route + QStringLiteral(" is open");
    }
    const QString share = percent(static_cast<double>(drill.sharePpm) / 1e6) +
                          QStringLiteral(" of the requests on ") + route;
    if (drill.kind == DrillKind::RateLimit) return share + QStringLiteral(" get a 429");
    if (drill.kind == DrillKind::Error) return share + QStringLiteral(" get a 503");
    return share + QStringLiteral(" wait ") + msText(drill.delayMs);
}

GridCell drillState(const Drill& drill, UtcTime now)
{
    if (drill.endedAt) {
        if (drill.endReason == "aborted") {
            return {
                .text = QStringLiteral("aborted"), .tone = Tone::Critical, .glyph = Glyph::Cross};
        }
        const bool isTime = drill.endReason == "time";
        return {.text = isTime ? QStringLiteral("ran its time") : QStringLiteral("stopped")};
    }
    if (now >= drill.endsAt) return {.text = QStringLiteral("over")};
    return {
        .text = QStringLiteral("runs, ") + age(drill.endsAt - now) + QStringLiteral(" left"),
        .tone = Tone::Off,
        .glyph = Glyph::Bars};
}

std::vector<GridColumn> drillColumns()
{
    return {
        {QStringLiteral("Started"), {}, 100, false, true},
        {QStringLiteral("Length"), {}, 75, true, false},
        {QStringLiteral("Provider"), {}, 90, false, false},
        {QStringLiteral("What"), {}, 105, false, false},
        {QStringLiteral("State"), {}, 155, false, false},
        {QStringLiteral("By"), {}, 70, false, false},
        {QStringLiteral("Reason"), {}, 130, false, false}};
}

std::vector<GridRow> drillRows(const std::vector<store::StoredDrill>& drills, UtcTime now)
{
    std::vector<GridRow> rows;
    for (const store::StoredDrill& each : drills) {
        const Drill& drill = each.drill;
        GridRow row{plain(drill.id), {}};
        row.cells = {
            {.text = timeText(drill.startsAt, now)},
            {.text = age(drill.endedAt.value_or(drill.endsAt) - drill.startsAt)},
            {.text = plain(drill.provider)},
            {.text = drillKindText(drill.kind), .tip = drillEffect(drill)},
            drillState(drill, now),
            {.text = plain(drill.startedBy)},
            {.text = plain(drill.reason), .tip = plain(drill.reason)}};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<GridColumn> reportColumns()
{
    return {
        {QString(), {}, 200, false, false},
        {QStringLiteral("Before"), {}, 120, true, false},
        {QStringLiteral("During"), {}, 120, true, false},
        {QStringLiteral("After"), {}, 120, true, false}};
}

std::vector<GridRow> reportRows(const DrillReport& report)
{
    const Windows windows{&report.before, &report.during, &report.after};
    std::vector<GridRow> rows;
    const auto add = [&](const char* name, const auto& text) {
        rows.push_back(rowOf(QString::fromLatin1(name), windows, text));
    };
    add("Requests", [](const DrillWindow& w) { return countText(w.ladder.requests); });
    addProviders(rows, report, windows);
    addLevels(rows, windows);
    add("Failed for users", [](const DrillWindow& w) {
        return countText(w.failures()) + QStringLiteral(" (") + shareText(w, w.failures()) +
               QChar(')');
    });
    add("Failed over", [](const DrillWindow& w) { return shareText(w, w.failovers); });
    add("First output p50",
        [](const DrillWindow& w) { return msText(w.ladder.firstOutput.p50Ms); });
    add("First output p95",
        [](const DrillWindow& w) { return msText(w.ladder.firstOutput.p95Ms); });
    add("Cost a request", [](const DrillWindow& w) { return money(w.costPerRequest()); });
    return rows;
}

QStringList reportLines(const DrillReport& report, const store::StoredDrill& stored, UtcTime now)
{
    const Drill& drill = report.drill;
    const auto moment = [](std::optional<std::int64_t> ms, const char* never) {
        return ms ? QStringLiteral("after ") + msText(ms) : QString::fromLatin1(never);
    };
    return {
        QStringLiteral("Began ") + timeText(drill.startsAt, now) + QStringLiteral(" by ") +
            plain(drill.startedBy) + QStringLiteral(": ") + plain(drill.reason),
        endText(stored, now),
        QStringLiteral("Traffic left the route ") +
            moment(report.leftMs, "not, or there was too little to tell") +
            QStringLiteral("; it was back ") +
            moment(report.backMs, "not yet, or there was too little to tell"),
        QStringLiteral("%1 requests touched; %2 spared, because they could go nowhere else")
            .arg(report.counts.touched)
            .arg(report.counts.spared)};
}

} // namespace weir::model
