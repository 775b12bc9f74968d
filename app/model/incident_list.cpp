// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_list.h"

#include "app/model/audit_words.h"
#include "app/model/console.h"
#include "app/model/format.h"
#include "app/model/incident_words.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr Ms kWeek = 7 * 24 * 3'600'000LL;
constexpr auto kAskEvery = std::chrono::seconds{10};
constexpr auto kStaleAfter = std::chrono::seconds{30};
constexpr int kIncidentsMax = 1000;
constexpr int kAuditMax = 1000;
constexpr int kPoints = 400;

Result<IncidentsOfTime> readTime(store::Database& db, Span range, UtcTime now)
{
    IncidentsOfTime time;
    time.range = range;
    auto incidents = db.incidents({range.from, false, kIncidentsMax});
    if (!incidents) return tl::unexpected(incidents.error());
    std::erase_if(*incidents, [&](const Incident& each) { return each.onsetMs > range.to; });
    time.incidents = std::move(*incidents);
    if (time.incidents.empty()) {
        auto last = db.incidents({std::nullopt, false, 1});
        if (!last) return tl::unexpected(last.error());
        if (!last->empty()) time.before = std::move(last->front());
    }
    auto audit = db.auditBetween(range.from, range.to, kAuditMax);
    if (!audit) return tl::unexpected(audit.error());
    time.audit = std::move(*audit);
    auto past = readPast(db, {}, range, now, kPoints);
    if (!past) return tl::unexpected(past.error());
    time.past = std::move(*past);
    return time;
}

std::vector<GridColumn> columns()
{
    const auto text = [](const char* title, const char* tip, int width) {
        return GridColumn{
            QString::fromLatin1(title), QString::fromLatin1(tip), width, false, false};
    };
    const auto number = [](const char* title, const char* tip, int width) {
        return GridColumn{QString::fromLatin1(title), QString::fromLatin1(tip), width, true, false};
    };
    return {
        text("State", "Open, with the age of the newest evidence, or closed", 176),
        text("What", "What happened, and to whom", 236),
        text("Route", "Model and task type that it is about", 170),
        text("Began", "The first bad minute, UTC", 118),
        number("Lasted", "From the first bad minute to the last", 76),
        number("Found after", "From the first bad minute to the detection", 88),
        number("Moved", "Calls that were sent elsewhere because of it", 76),
        number("Failed", "Calls that failed for their users", 66),
        number("Cost", "What the detour cost more, at the prices configured", 82),
        number("Mode", "How often the switch was turned in its time", 58),
    };
}

bool isTurnIn(const AuditEntry& entry, Span span)
{
    return span.contains(epochMs(entry.at)) && modeAfter(entry).has_value();
}

bool matches(const Incident& incident, const QString& filter)
{
    if (filter.isEmpty()) return true;
    if (filter.compare(QStringLiteral("open"), Qt::CaseInsensitive) == 0) return !incident.endMs;
    const std::string_view word = toWord(incident.kind);
    const QString text = QString::fromStdString(incident.id) + QChar(' ') + headline(incident) +
                         QChar(' ') + whereText(incident) + QChar(' ') + plain(word) + QChar(' ') +
                         plain(incident.key);
    return text.contains(filter, Qt::CaseInsensitive);
}

} // namespace

IncidentList::IncidentList(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_asked(
          console.archive(),
          console.clock(),
          [this] {
              fill();
              emit changed();
          })
    , m_grid(columns())
    , m_length(kWeek)
{
}

void IncidentList::setLength(Ms length)
{
    m_length = length;
    m_fixed.reset();
    ask();
}

void IncidentList::show(Span range)
{
    m_fixed = range;
    ask();
}

void IncidentList::setFilter(const QString& filter)
{
    if (filter.trimmed() == m_filter) return;
    m_filter = filter.trimmed();
    fill();
    emit changed();
}

Span IncidentList::range() const
{
    if (m_fixed) return *m_fixed;
    const Ms now = epochMs(m_console.now());
    return {now - m_length, now};
}

void IncidentList::ask()
{
    m_askedAt = m_console.now();
    const Span wanted = range();
    m_asked.ask(
        [wanted, now = m_askedAt](store::Database& db) { return readTime(db, wanted, now); });
}

void IncidentList::tick()
{
    if (!m_asked.isAsking() && m_console.now() - m_askedAt >= kAskEvery) ask();
    fill();
}

void IncidentList::fill()
{
    const IncidentsOfTime* time = m_asked.value();
    if (time == nullptr) return;
    std::vector<const Incident*> shown;
    for (const Incident& incident : time->incidents) {
        if (matches(incident, m_filter)) shown.push_back(&incident);
    }
    std::ranges::stable_sort(shown, {}, [](const Incident* incident) {
        return std::pair(incident->endMs.has_value(), -incident->onsetMs);
    });
    std::vector<GridRow> rows;
    const Ms now = epochMs(m_console.now());
    for (const Incident* incident : shown)
        rows.push_back(rowOf(*incident, now));
    m_grid.apply(std::move(rows));
    m_lanesRange = time->range;
    m_lanes = incidentLanes(
        {time->range, time->incidents, time->audit, &time->past, {}, m_console.switchRow()});
}

GridRow IncidentList::rowOf(const Incident& incident, Ms now) const
{
    const auto cell = [](const QString& text) {
        GridCell made;
        made.text = text;
        return made;
    };
    const Look state = stateOf(incident);
    GridCell first = cell(state.word);
    first.glyph = state.glyph;
    first.tone = state.tone;
    if (!incident.endMs) {
        first.text += QStringLiteral(" · evidence ") + spanText(now - lastEvidence(incident));
        first.tip = QStringLiteral("Last evidence ") + stampText(lastEvidence(incident));
    }
    const Ms end = incident.endMs.value_or(now);
    const auto& audit = m_asked.value()->audit;
    const auto turns = std::ranges::count_if(audit, [&](const AuditEntry& entry) {
        return isTurnIn(entry, {incident.onsetMs, end});
    });
    GridRow row;
    row.key = QString::fromStdString(incident.id);
    row.cells = {
        first,
        cell(headline(incident)),
        cell(whereText(incident)),
        cell(stampText(incident.onsetMs)),
        cell(spanText(end - incident.onsetMs)),
        cell(spanText(incident.detectedMs - incident.onsetMs)),
        cell(countText(incident.divertedCalls)),
        cell(countText(incident.userFailures)),
        cell(money(incident.extraCostMicroUsd)),
        cell(QString::number(turns))};
    row.cells[1].tip = plain(incident.id);
    if (incident.userFailures > 0) row.cells[7].tone = Tone::Critical;
    return row;
}

PanelState IncidentList::panel() const
{
    PanelState state = m_asked.panel();
    if (state.kind != PanelState::Kind::Live) return state;
    if (m_grid.rows().empty()) {
        state.kind = PanelState::Kind::Empty;
        state.text = emptyText();
        return state;
    }
    if (m_console.now() - m_asked.at() > kStaleAfter) {
        state.kind = PanelState::Kind::Stale;
        state.text = QStringLiteral("stale ") + age(m_console.now() - m_asked.at()) +
                     QStringLiteral(": the store takes long to answer");
        state.staleSince = m_asked.at();
    }
    return state;
}

QString IncidentList::emptyText() const
{
    const IncidentsOfTime& time = *m_asked.value();
    if (!time.incidents.empty()) {
        return QStringLiteral("No incident matches \"%1\"; there are %2 in this range.")
            .arg(m_filter)
            .arg(time.incidents.size());
    }
    if (!time.before) return QStringLiteral("No incident in this range, nor before it.");
    const Ms ago = epochMs(m_console.now()) - time.before->onsetMs;
    return QStringLiteral("No incident in this range. Last: %1 (%2), %3 ago.")
        .arg(headline(*time.before), plain(time.before->id), spanText(ago));
}

QString IncidentList::summary() const
{
    const IncidentsOfTime* time = m_asked.value();
    if (time == nullptr) return {};
    const auto open = std::ranges::count_if(
        time->incidents, [](const Incident& incident) { return !incident.endMs; });
    return QStringLiteral("%1 open of %2").arg(open).arg(time->incidents.size());
}

} // namespace weir::model
