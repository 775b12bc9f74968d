// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/store_options.h"
#include "common/model/settings.h"
#include "common/model/store_rows.h"
#include "common/model/switch_change.h"

#include <QObject>
#include <QThread>

#include <vector>

namespace weir::link {

class StoreReader;

/// The store, seen from the GUI thread: every call returns at once, every answer is a queued
/// signal.
class StoreLink final : public QObject
{
    Q_OBJECT

public:
    explicit StoreLink(StoreOptions options, QObject* parent = nullptr);
    /// Waits for the call in hand: at most the busy timeout, or a server's answer limit.
    ~StoreLink() override;

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
    void historyRead(
        const std::vector<weir::RouteSlice>& slices,
        weir::UtcTime from,
        weir::UtcTime to,
        std::int64_t stepMs);
    /// Every stretch that was asked for has been read, or cannot be.
    void historyComplete();
    void settled(const weir::SwitchOutcome& outcome);

private:
    QThread m_thread;
    /// Lives in `m_thread` and is deleted there.
    StoreReader* m_reader;
};

} // namespace weir::link
