// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/grid.h"
#include "app/model/incident_lanes.h"
#include "app/model/past.h"
#include "common/model/audit_entry.h"
#include "common/model/incident.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::model {

class Console;

/// What was asked of the store for the list.
struct IncidentsOfTime
{
    Span range;
    std::vector<Incident> incidents;
    std::vector<AuditEntry> audit;
    Past past;
    /// The newest before the range, where the range has none.
    std::optional<Incident> before;
};

/// The incidents of a time, open ones first, and what happened beside them.
class IncidentList final : public QObject
{
    Q_OBJECT

public:
    explicit IncidentList(Console& console, QObject* parent = nullptr);

    /// The last so many milliseconds, always up to now.
    void setLength(Ms length);
    /// A stretch that stands still.
    void show(Span range);
    /// Part of an id, a kind, a name; "open" = only those.
    void setFilter(const QString& filter);
    void ask();
    /// Once a second while somebody looks: asks anew where the answer is old, and lets ages grow.
    void tick();

    [[nodiscard]] Span range() const;

    [[nodiscard]] Ms length() const { return m_length; }

    [[nodiscard]] bool isFixed() const { return m_fixed.has_value(); }

    [[nodiscard]] Grid& grid() { return m_grid; }

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }

    /// Of the answer that the lanes are made of.
    [[nodiscard]] Span lanesRange() const { return m_lanesRange; }

    [[nodiscard]] PanelState panel() const;
    /// "2 open of 14": empty before the first answer.
    [[nodiscard]] QString summary() const;

signals:
    void changed();

private:
    void fill();
    [[nodiscard]] GridRow rowOf(const Incident& incident, Ms now) const;
    [[nodiscard]] QString emptyText() const;

    Console& m_console;
    Asked<IncidentsOfTime> m_asked;
    Grid m_grid;
    std::vector<Lane> m_lanes;
    Span m_lanesRange;
    Ms m_length;
    std::optional<Span> m_fixed;
    QString m_filter;
    UtcTime m_askedAt{};
};

} // namespace weir::model
