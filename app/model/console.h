// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/archive.h"
#include "app/model/chart_feed.h"
#include "app/model/clock.h"
#include "app/model/fleet.h"
#include "app/model/header_state.h"
#include "app/model/incident_watch.h"
#include "app/model/live_models.h"
#include "app/model/panel.h"
#include "app/model/place.h"
#include "app/model/switch_desk.h"
#include "app/model/time_window.h"
#include "common/model/status.h"

#include <QObject>

#include <optional>

namespace weir::model {

/// Everything the console knows, fed by the links with immutable values, read by the views.
/// Lives in the GUI thread.
class Console final : public QObject
{
    Q_OBJECT

public:
    Console(Operator who, Clock clock, QObject* parent = nullptr);

    void showStatus(const weir::model::StatusPtr& status);
    void showAgentReached(double latencyMs);
    void showAgentLost(const QString& trouble, int retryInS);
    void showStoreReached(double latencyMs);
    void showStoreLost(const QString& trouble);
    void showSwitch(const weir::RoutingSwitch& row);
    void showSettings(const weir::RoutingSettings& settings);
    void showAgents(const std::vector<weir::AgentStateRow>& rows);
    /// Slices of one step, in milliseconds, of all models.
    void showHistory(
        const std::vector<weir::RouteSlice>& slices,
        weir::UtcTime from,
        weir::UtcTime to,
        std::int64_t stepMs);
    void showAudit(const std::vector<weir::AuditEntry>& entries);
    void selectModel(const QString& name);
    void nameDoors(const QString& agent, const QString& store);

    /// Outlives the console; without one the pages say that there is no store.
    void setArchive(Archive* archive);

    /// Somebody followed a link or chose a row.
    void go(const Place& place) { emit placeWanted(place); }

    /// Called a few times a second.
    void tick();

    [[nodiscard]] UtcTime now() const { return m_clock(); }

    [[nodiscard]] const Clock& clock() const;
    [[nodiscard]] Archive* archive() const;
    /// The agent's last snapshot; null before the first.
    [[nodiscard]] const AgentStatus* status() const;
    [[nodiscard]] const Fleet& fleet() const;
    /// Of the store, where they have been read.
    [[nodiscard]] const std::optional<RoutingSettings>& settings() const;
    [[nodiscard]] const std::optional<RoutingSwitch>& switchRow() const;
    [[nodiscard]] HeaderState header() const;
    [[nodiscard]] std::optional<Duration> dataAge() const;
    [[nodiscard]] const Reach& agentReach() const;
    [[nodiscard]] const Reach& storeReach() const;
    [[nodiscard]] PanelState panel() const;

    /// Null without a store.
    [[nodiscard]] const IncidentWatch* incidents() const;

    /// What agents serve.
    [[nodiscard]] LiveModels& models();
    [[nodiscard]] ChartFeed chartFeed();
    [[nodiscard]] const std::vector<Annotation>& annotations() const;
    [[nodiscard]] std::vector<Alert> alerts() const;
    [[nodiscard]] Mode nextTarget() const;
    [[nodiscard]] TimeWindow& window();
    [[nodiscard]] SwitchDesk& desk();
signals:
    void placeWanted(const weir::model::Place& place);
    /// New data: pages repaint.
    void changed();
    /// Of those that are open.
    void incidentsChanged();
    /// Time went by.
    void ticked();
    /// The panel asks for another try now.
    void retryWanted();
    /// The charts want slices of this stretch.
    void historyWanted(weir::UtcTime from, weir::UtcTime to);

private:
    [[nodiscard]] SwitchFacts facts() const;
    void annotate(const RoutingSwitch& row);

    Clock m_clock;
    Archive* m_archive = nullptr;
    std::optional<IncidentWatch> m_incidents;
    UtcTime m_startedAt;
    StatusPtr m_status;
    UtcTime m_statusAt{};
    Fleet m_fleet;
    LiveModels m_models;
    std::vector<Annotation> m_annotations;
    std::optional<RoutingSwitch> m_row;
    std::optional<RoutingSettings> m_settings;
    Reach m_agent;
    Reach m_store;
    TimeWindow m_window;
    SwitchDesk m_desk;
};

} // namespace weir::model
