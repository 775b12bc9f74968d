// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/clock.h"
#include "app/model/fleet.h"
#include "app/model/header_state.h"
#include "app/model/history.h"
#include "app/model/panel.h"
#include "app/model/provider_table.h"
#include "app/model/switch_desk.h"
#include "app/model/tiles.h"
#include "app/model/time_window.h"
#include "common/model/status.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>

namespace weir::model {

using StatusPtr = std::shared_ptr<const AgentStatus>;

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
    /// Called a few times a second: ages grow without any news.
    void tick();

    [[nodiscard]] UtcTime now() const { return m_clock(); }

    [[nodiscard]] HeaderState header() const;
    [[nodiscard]] std::optional<Duration> dataAge() const;

    [[nodiscard]] const Reach& agentReach() const { return m_agent; }

    [[nodiscard]] const Reach& storeReach() const { return m_store; }

    [[nodiscard]] PanelState panel() const;
    [[nodiscard]] QStringList modelNames() const;

    [[nodiscard]] QString selectedModel() const { return QString::fromStdString(m_selected); }

    [[nodiscard]] std::vector<Tile> tiles() const;
    [[nodiscard]] const History& history() const;

    [[nodiscard]] const std::vector<Annotation>& annotations() const { return m_annotations; }

    [[nodiscard]] std::vector<Alert> alerts() const;
    [[nodiscard]] Mode nextTarget() const;

    [[nodiscard]] ProviderTable& table() { return m_table; }

    [[nodiscard]] TimeWindow& window() { return m_window; }

    [[nodiscard]] SwitchDesk& desk() { return m_desk; }

signals:
    /// New data: pages repaint.
    void changed();
    /// Time went by.
    void ticked();
    /// The panel asks for another try now.
    void retryWanted();
    /// The charts want slices of this stretch.
    void historyWanted(weir::UtcTime from, weir::UtcTime to);

private:
    [[nodiscard]] const ModelStatus* model() const;
    [[nodiscard]] SwitchFacts facts() const;
    void refreshTable();
    void annotate(const RoutingSwitch& row);

    Clock m_clock;
    UtcTime m_startedAt;
    StatusPtr m_status;
    UtcTime m_statusAt{};
    Fleet m_fleet;
    std::map<std::string, History> m_histories;
    std::string m_selected;
    std::vector<Annotation> m_annotations;
    std::optional<RoutingSwitch> m_row;
    std::optional<RoutingSettings> m_settings;
    Reach m_agent;
    Reach m_store;
    ProviderTable m_table;
    TimeWindow m_window;
    SwitchDesk m_desk;
};

} // namespace weir::model
