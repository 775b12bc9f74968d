// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/console.h"

#include "app/model/format.h"

#include <QJsonDocument>

#include <algorithm>

namespace weir::model {
namespace {

/// Snapshots come once a second; three missed ones are worth saying (console rules, stale).
constexpr Duration kStaleAfter = std::chrono::seconds{3};
constexpr Duration kWorthHealing = std::chrono::seconds{30};
constexpr std::size_t kAnnotationsMax = 200;

bool hasTraffic(const History& history, Span range)
{
    for (std::size_t p = 0; p < history.providers().size(); ++p) {
        const Column column = history.column(p, Quantity::Rps);
        for (std::size_t i = 0; i < column.times.size(); ++i) {
            if (range.contains(column.times[i]) && column.values[i] > 0.0) return true;
        }
    }
    return false;
}

} // namespace

Console::Console(Operator who, Clock clock, QObject* parent)
    : QObject(parent)
    , m_clock(clock)
    , m_startedAt(clock())
    , m_desk(std::move(who), std::move(clock))
{
    connect(&m_window, &TimeWindow::changed, this, &Console::changed);
}

void Console::nameDoors(const QString& agent, const QString& store)
{
    m_agent.name = agent;
    m_store.name = store;
    if (store.isEmpty()) m_store.trouble = QStringLiteral("no --store given");
}

void Console::showStatus(const StatusPtr& status)
{
    const UtcTime now = m_clock();
    // What happened while the agent was out of reach may stand in the store.
    if (m_status && now - m_statusAt > kWorthHealing) emit historyWanted(m_statusAt, now);
    m_status = status;
    m_statusAt = now;
    m_fleet.hear(*status, now);
    m_models.show(status, now);
    m_desk.showFacts(facts());
    emit changed();
}

void Console::showAgentReached(double latencyMs)
{
    m_agent.state = Reach::State::Reached;
    m_agent.latencyMs = latencyMs;
    m_agent.trouble.clear();
    emit changed();
}

void Console::showAgentLost(const QString& trouble, int retryInS)
{
    m_agent.state = Reach::State::Lost;
    m_agent.trouble = trouble;
    m_agent.retryAt = m_clock() + std::chrono::seconds{retryInS};
    emit changed();
}

void Console::showStoreReached(double latencyMs)
{
    const bool isNews = m_store.state != Reach::State::Reached;
    m_store.state = Reach::State::Reached;
    m_store.latencyMs = latencyMs;
    m_store.trouble.clear();
    if (!isNews) return;
    m_desk.showFacts(facts());
    emit changed();
}

void Console::showStoreLost(const QString& trouble)
{
    m_store.state = Reach::State::Lost;
    m_store.trouble = trouble;
    m_desk.showFacts(facts());
    emit changed();
}

void Console::showSwitch(const RoutingSwitch& row)
{
    m_row = row;
    annotate(row);
    m_desk.showRow(row);
    emit changed();
}

void Console::showSettings(const RoutingSettings& settings)
{
    m_settings = settings;
    m_desk.showFacts(facts());
}

void Console::showAgents(const std::vector<AgentStateRow>& rows)
{
    m_fleet.hear(rows, m_clock());
    m_desk.showFacts(facts());
    emit changed();
}

void Console::showHistory(
    const std::vector<RouteSlice>& slices, UtcTime from, UtcTime to, std::int64_t stepMs)
{
    m_models.show(slices, {epochMs(from), epochMs(to)}, stepMs, m_clock());
    emit changed();
}

void Console::showAudit(const std::vector<AuditEntry>& entries)
{
    for (const AuditEntry& entry : entries) {
        if (entry.table != "routing_switch") continue;
        RoutingSwitch row;
        row.version = entry.version;
        row.updatedAt = entry.at;
        row.updatedBy = entry.who;
        row.reason = entry.reason;
        const auto value = QJsonDocument::fromJson(QByteArray::fromStdString(entry.newValue));
        const QString mode = value[QStringLiteral("mode")].toString();
        row.mode = modeFromWord(mode.toStdString()).value_or(Mode::Fixed);
        annotate(row);
    }
    emit changed();
}

void Console::annotate(const RoutingSwitch& row)
{
    const Ms time = epochMs(row.updatedAt);
    const auto isSame = [&](const Annotation& known) { return known.time == time; };
    if (row.version <= 1 || std::ranges::any_of(m_annotations, isSame)) return;
    const bool isOn = row.mode == Mode::Adaptive;
    const QString what = isOn ? QStringLiteral("ON ") : QStringLiteral("OFF ");
    m_annotations.push_back(
        {time, isOn ? Glyph::Disc : Glyph::Square, what + plain(row.updatedBy)});
    std::ranges::sort(m_annotations, {}, &Annotation::time);
    if (m_annotations.size() > kAnnotationsMax) m_annotations.erase(m_annotations.begin());
}

void Console::selectModel(const QString& name)
{
    if (!m_models.select(name, m_clock())) return;
    emit changed();
}

void Console::setArchive(Archive* archive)
{
    m_archive = archive;
    m_incidents.reset();
    if (archive != nullptr)
        m_incidents.emplace(archive, m_clock, [this] { emit incidentsChanged(); });
}

void Console::tick()
{
    if (m_incidents) m_incidents->tick();
    emit ticked();
}

HeaderState Console::header() const
{
    HeaderFacts facts;
    facts.row = m_row;
    facts.listeningSince = m_startedAt;
    if (m_status) {
        if (m_status->summary) facts.summaryAgeS = m_status->summary->ageS;
        const bool isNewer = !m_row || m_row->version != m_status->switchVersion;
        if (isNewer && m_status->switchAt) {
            facts.row = RoutingSwitch{};
            facts.row->version = m_status->switchVersion;
            facts.row->updatedBy = m_status->switchBy;
            facts.row->updatedAt = *m_status->switchAt;
        }
    }
    return headerState(m_fleet, facts, m_clock());
}

std::optional<Duration> Console::dataAge() const
{
    if (!m_status) return std::nullopt;
    return m_clock() - m_statusAt;
}

PanelState Console::panel() const
{
    const UtcTime now = m_clock();
    PanelState state;
    const auto old = dataAge();
    if (m_agent.state == Reach::State::Lost) {
        state.kind = PanelState::Kind::Error;
        state.text = m_agent.name + QStringLiteral(" does not answer: ") + m_agent.trouble;
        state.text += m_status ? QStringLiteral(". Last data ") + clockText(m_statusAt)
                               : QStringLiteral(". No data yet");
        if (m_agent.retryAt > now) {
            state.text += QStringLiteral(". Next try in ") + age(m_agent.retryAt - now);
        }
        state.staleSince = m_status ? m_statusAt : m_startedAt;
        return state;
    }
    if (!m_status) return state;
    if (*old > kStaleAfter) {
        state.kind = PanelState::Kind::Stale;
        state.text = QStringLiteral("stale ") + age(*old);
        state.staleSince = m_statusAt;
        return state;
    }
    if (m_status->models.empty()) {
        state.kind = PanelState::Kind::Empty;
        state.text =
            QStringLiteral("This agent serves no model: its configuration file names none.");
        return state;
    }
    state.kind = PanelState::Kind::Live;
    if (!hasTraffic(m_models.history(), m_window.span(now))) {
        state.kind = PanelState::Kind::Empty;
        const auto heard = static_cast<std::int64_t>(m_fleet.heard(now).size());
        state.text = QStringLiteral("No traffic in the last ") +
                     age(std::chrono::milliseconds{m_window.length()}) + QStringLiteral(". ") +
                     counted(heard, QStringLiteral("agent")) + QStringLiteral(" connected.");
    }
    return state;
}

ChartFeed Console::chartFeed()
{
    return {
        &m_window,
        m_clock,
        [this]() -> const History& { return m_models.history(); },
        [this] { return panel(); },
        [this]() -> const std::vector<Annotation>& { return m_annotations; }};
}

std::vector<Alert> Console::alerts() const
{
    return m_status ? m_status->alerts : std::vector<Alert>{};
}

Mode Console::nextTarget() const
{
    if (m_row) return m_row->mode == Mode::Fixed ? Mode::Adaptive : Mode::Fixed;
    const bool isFixed = m_status && m_status->mode == Mode::Fixed;
    return isFixed ? Mode::Adaptive : Mode::Fixed;
}

SwitchFacts Console::facts() const
{
    SwitchFacts facts;
    facts.fleet = &m_fleet;
    facts.status = m_status.get();
    facts.row = m_row;
    facts.settings = m_settings;
    facts.isStoreReadable = m_store.state == Reach::State::Reached;
    facts.storeTrouble = m_store.trouble;
    return facts;
}

const Clock& Console::clock() const
{
    return m_clock;
}

Archive* Console::archive() const
{
    return m_archive;
}

const IncidentWatch* Console::incidents() const
{
    return m_incidents ? &*m_incidents : nullptr;
}

const AgentStatus* Console::status() const
{
    return m_status.get();
}

const Fleet& Console::fleet() const
{
    return m_fleet;
}

const std::optional<RoutingSettings>& Console::settings() const
{
    return m_settings;
}

const std::optional<RoutingSwitch>& Console::switchRow() const
{
    return m_row;
}

const Reach& Console::agentReach() const
{
    return m_agent;
}

const Reach& Console::storeReach() const
{
    return m_store;
}

LiveModels& Console::models()
{
    return m_models;
}

const std::vector<Annotation>& Console::annotations() const
{
    return m_annotations;
}

TimeWindow& Console::window()
{
    return m_window;
}

SwitchDesk& Console::desk()
{
    return m_desk;
}

} // namespace weir::model
