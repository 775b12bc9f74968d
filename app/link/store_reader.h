// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/store_connection.h"
#include "app/link/store_rows.h"
#include "common/model/switch_change.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace weir::link {

/// The store's side of the console, in the store thread: polls what people and agents wrote, reads
/// history, writes the switch. `StoreLink` is its face in the GUI thread.
class StoreReader final : public QObject
{
    Q_OBJECT

public:
    explicit StoreReader(StoreOptions options);

    void start();
    void retryNow();
    void turn(const weir::SwitchChange& change);
    void readHistory(weir::UtcTime from, weir::UtcTime to);

signals:
    void reached(double latencyMs);
    void lost(const QString& trouble);
    void switchRead(const weir::RoutingSwitch& row);
    void settingsRead(const weir::RoutingSettings& settings);
    void agentsRead(const std::vector<weir::AgentStateRow>& rows);
    void auditRead(const std::vector<weir::AuditEntry>& entries);
    /// Slices of one step, in milliseconds, that cover `from` to `to`.
    void historyRead(
        const std::vector<weir::RouteSlice>& slices,
        weir::UtcTime from,
        weir::UtcTime to,
        std::int64_t stepMs);
    /// Every stretch that was asked for has been read, or cannot be.
    void historyComplete();
    void settled(const weir::SwitchOutcome& outcome);

private:
    void poll();
    void resolve();
    [[nodiscard]] Status<> connectIfNeeded();
    [[nodiscard]] Status<> readAll();
    void answerHistory();

    struct Stretch
    {
        UtcTime from{};
        UtcTime to{};
    };

    StoreOptions m_options;
    std::unique_ptr<StoreConnection> m_connection;
    /// Tells a file that was replaced from the one that is open; of a file alone.
    QDateTime m_born;
    std::unique_ptr<QTimer> m_timer;
    std::optional<SwitchChange> m_unresolved;
    std::vector<Stretch> m_wanted;
    std::optional<RoutingSwitch> m_switch;
    std::optional<RoutingSettings> m_settings;
    std::vector<AgentStateRow> m_agents;
    int m_quickPolls = 0;
};

} // namespace weir::link
