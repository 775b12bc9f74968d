// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/decision_store.h"
#include "agent/store/history_query.h"
#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/panel.h"
#include "app/model/stacks.h"

#include <QObject>

#include <vector>

namespace weir::model {

/// Decisions by the hundred: why requests went where they went, minute by minute, and whether a
/// minute of the hour is worse than the others.
class DecisionTrends final : public QObject
{
    Q_OBJECT

public:
    explicit DecisionTrends(Console& console, QObject* parent = nullptr);

    /// Reads both, for the range of the window and for the last 24 hours.
    void ask();

    [[nodiscard]] PanelState reasonsPanel() const;
    [[nodiscard]] PanelState profilePanel() const;

    [[nodiscard]] const Stacks& reasons() const { return m_reasons; }

    /// Attempts of the last 24 hours by minute of the hour.
    [[nodiscard]] const Stacks& profile() const { return m_profile; }

signals:
    void changed();

private:
    struct Counts
    {
        Span range;
        Ms step = 60'000;
        std::vector<store::ReasonCount> rows;
    };

    void takeReasons();
    void takeProfile();

    Console& m_console;
    Asked<Counts> m_askedReasons;
    Asked<std::vector<store::HistoryPoint>> m_askedProfile;
    Stacks m_reasons;
    Stacks m_profile;
};

/// Steps without a request are columns without a bar.
[[nodiscard]] Stacks reasonBars(const std::vector<store::ReasonCount>& rows, Span range, Ms step);
[[nodiscard]] Stacks hourProfile(const std::vector<store::HistoryPoint>& points);

} // namespace weir::model
