// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_detail.h"

#include "app/model/audit_words.h"
#include "app/model/console.h"
#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr auto kAskEvery = std::chrono::seconds{10};
constexpr auto kStaleAfter = std::chrono::seconds{30};

std::vector<GridColumn> columns(const char* what)
{
    return {
        {QStringLiteral("Time"), QStringLiteral("UTC"), 110, false, false},
        {QStringLiteral("Event"), {}, 148, false, false},
        {QString::fromLatin1(what), {}, 310, false, false},
        {QStringLiteral("Evidence"),
         QStringLiteral("What was measured then, or where it is written; Enter goes there"),
         150,
         false,
         false}};
}

/// The day stands there only where it is another one than the incident's first.
QString timeText(Ms time, Ms onset)
{
    constexpr Ms kDay = 24 * 3'600'000;
    return time / kDay == onset / kDay ? clockText(fromEpochMs(time)) : stampText(time);
}

GridRow rowOf(const CaseLine& line, Ms onset)
{
    const auto cell = [](const QString& text) {
        GridCell made;
        made.text = text;
        return made;
    };
    GridRow row;
    row.key = line.key;
    row.cells = {
        cell(timeText(line.at, onset)), cell(line.look.word), cell(line.text), cell(line.evidence)};
    row.cells[1].glyph = line.look.glyph;
    row.cells[1].tone = line.look.tone;
    row.cells[2].tip = line.text;
    return row;
}

} // namespace

IncidentDetail::IncidentDetail(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_asked(
          console.archive(),
          console.clock(),
          [this] {
              fill();
              emit changed();
          })
    , m_desk(console)
    , m_story(columns("What"))
    , m_log(columns("What"))
{
    connect(&m_desk, &NoteDesk::written, this, &IncidentDetail::ask);
}

void IncidentDetail::open(QString id)
{
    if (id != m_id) {
        close();
        m_id = std::move(id);
    }
    ask();
}

void IncidentDetail::close()
{
    m_id.clear();
    m_asked.clear();
    m_desk.close();
    m_history = {};
    m_marks.clear();
    m_facts.clear();
    m_lanes.clear();
    m_lines.clear();
    m_story.apply({});
    m_log.apply({});
    m_window.pointAt(std::nullopt);
    emit changed();
}

void IncidentDetail::ask()
{
    if (m_id.isEmpty()) return;
    m_askedAt = m_console.now();
    m_asked.ask([id = m_id.toStdString(), now = m_askedAt](store::Database& db) {
        return readCase(db, id, now);
    });
}

void IncidentDetail::tick()
{
    if (m_id.isEmpty()) return;
    if (!m_asked.isAsking() && m_console.now() - m_askedAt >= kAskEvery) ask();
    if (known() != nullptr) fillFacts();
}

const IncidentCase* IncidentDetail::known() const
{
    const auto* answer = m_asked.value();
    return answer != nullptr && *answer ? &**answer : nullptr;
}

PanelState IncidentDetail::panel() const
{
    PanelState state = m_asked.panel();
    if (state.kind != PanelState::Kind::Live) return state;
    if (known() == nullptr) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("The store has no incident ") + plain(m_id.toStdString()) +
                     QStringLiteral(". Esc goes back to the list.");
        return state;
    }
    if (m_console.now() - m_asked.at() > kStaleAfter) {
        state.kind = PanelState::Kind::Stale;
        state.text = QStringLiteral("stale ") + age(m_console.now() - m_asked.at()) +
                     QStringLiteral(": the store takes long to answer");
    }
    return state;
}

Look IncidentDetail::state() const
{
    if (known() == nullptr) return {};
    const Incident& incident = known()->incident;
    Look look = stateOf(incident);
    const Ms now = epochMs(m_console.now());
    look.word = incident.endMs ? QStringLiteral("CLOSED after ") : QStringLiteral("OPEN ");
    look.word += spanText(incident.endMs.value_or(now) - incident.onsetMs);
    if (!incident.endMs) {
        look.word += QStringLiteral(" · last evidence ") + spanText(now - lastEvidence(incident)) +
                     QStringLiteral(" ago");
    }
    return look;
}

void IncidentDetail::fill()
{
    m_lines.clear();
    if (known() == nullptr) {
        fillGrids();
        return;
    }
    const IncidentCase& now = *known();
    m_lines = linesOf(now);
    m_history = historyOf(now.past);
    if (m_window.span(m_console.now()) != now.past.span) m_window.show(now.past.span);
    std::vector<Incident> shown{now.incident};
    const std::string& head = now.incident.parent.empty() ? now.incident.id : now.incident.parent;
    for (const Incident& other : now.others) {
        const bool isOfGroup = other.id == head || other.parent == head;
        if (isOfGroup && other.id != now.incident.id) shown.push_back(other);
    }
    m_lanes = incidentLanes(
        {now.past.span, shown, now.audit, &now.past, now.levels, m_console.switchRow()});
    m_desk.meet(now.notes);
    fillFacts();
    fillMarks();
    fillGrids();
}

void IncidentDetail::fillFacts()
{
    const Incident& incident = known()->incident;
    m_facts = {
        {QStringLiteral("Began"), stampText(incident.onsetMs)},
        {QStringLiteral("Found after"), spanText(incident.detectedMs - incident.onsetMs)},
        {QStringLiteral("Calls moved"), countText(incident.divertedCalls)},
        {QStringLiteral("Failed for users"), countText(incident.userFailures)},
        {QStringLiteral("Extra cost"), money(incident.extraCostMicroUsd)}};
    if (incident.count > 1) {
        m_facts.emplace_back(
            QStringLiteral("Opened"), QStringLiteral("%1 times").arg(incident.count));
    }
    for (const auto& fact : impactOf(*known()))
        m_facts.push_back(fact);
}

void IncidentDetail::fillMarks()
{
    m_marks.clear();
    const Incident& incident = known()->incident;
    const auto mark = [this](Ms time, const char* text, Glyph glyph) {
        m_marks.push_back({time, glyph, QString::fromLatin1(text)});
    };
    mark(incident.onsetMs, "began", Glyph::HalfDisc);
    mark(incident.detectedMs, "found", Glyph::Warning);
    if (incident.endMs) mark(*incident.endMs, "over", Glyph::Check);
    for (const AuditEntry& entry : known()->audit) {
        const auto mode = modeAfter(entry);
        if (!mode) continue;
        const bool isOn = *mode == Mode::Adaptive;
        m_marks.push_back(
            {epochMs(entry.at),
             lookOf(*mode).glyph,
             (isOn ? QStringLiteral("ON ") : QStringLiteral("OFF ")) + plain(entry.who)});
    }
    std::ranges::stable_sort(m_marks, {}, &Annotation::time);
}

void IncidentDetail::setFilter(const QString& filter)
{
    if (filter.trimmed() == m_filter) return;
    m_filter = filter.trimmed();
    fillGrids();
    emit changed();
}

void IncidentDetail::fillGrids()
{
    std::vector<GridRow> story;
    std::vector<GridRow> log;
    const Ms onset = known() != nullptr ? known()->incident.onsetMs : 0;
    for (const CaseLine& line : m_lines) {
        if (line.isStory) story.push_back(rowOf(line, onset));
        const bool isNote = line.key.startsWith(QStringLiteral("note/"));
        const QString text = line.look.word + QChar(' ') + line.text + QChar(' ') + line.evidence;
        const bool isWanted = m_filter.isEmpty() || text.contains(m_filter, Qt::CaseInsensitive);
        if (!isNote && isWanted) log.push_back(rowOf(line, onset));
    }
    m_story.apply(std::move(story));
    m_log.apply(std::move(log));
}

const CaseLine* IncidentDetail::line(const QString& key) const
{
    const auto found = std::ranges::find(m_lines, key, &CaseLine::key);
    return found == m_lines.end() ? nullptr : &*found;
}

QString IncidentDetail::step(const QString& fromKey, int direction)
{
    const int count = static_cast<int>(m_story.rows().size());
    if (count == 0) return {};
    const int from = m_story.rowOf(fromKey);
    const int first = direction > 0 ? 0 : count - 1;
    const int next = from < 0 ? first : std::clamp(from + direction, 0, count - 1);
    const QString key = m_story.keyAt(next);
    pointAt(key);
    return key;
}

void IncidentDetail::pointAt(const QString& key)
{
    const CaseLine* row = line(key);
    if (row != nullptr && m_window.span(m_console.now()).contains(row->at)) {
        m_window.pointAt(row->at);
    }
}

void IncidentDetail::writeNote(const QString& atKey)
{
    const CaseLine* row = line(atKey);
    const Ms time = m_window.crosshair().value_or(row ? row->at : epochMs(m_console.now()));
    m_desk.openNew(m_id, time, {});
}

void IncidentDetail::promote(const QString& key)
{
    const CaseLine* row = line(key);
    if (row == nullptr) return;
    m_desk.openNew(m_id, row->at, row->look.word + QStringLiteral(": ") + row->text);
}

void IncidentDetail::editNote(const QString& noteId)
{
    if (known() == nullptr) return;
    for (const IncidentNote& note : known()->notes) {
        if (note.id == noteId.toStdString()) m_desk.openEdit(note);
    }
}

ChartFeed IncidentDetail::chartFeed()
{
    return {
        &m_window,
        m_console.clock(),
        [this]() -> const History& { return m_history; },
        [this] {
            PanelState state = panel();
            if (state.kind == PanelState::Kind::Live && m_history.times().empty()) {
                state.kind = PanelState::Kind::Empty;
                state.text = QStringLiteral("The store has no history of this time.");
            }
            return state;
        },
        [this]() -> const std::vector<Annotation>& { return m_marks; }};
}

} // namespace weir::model
