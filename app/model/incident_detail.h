// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/case_lines.h"
#include "app/model/chart_feed.h"
#include "app/model/grid.h"
#include "app/model/incident_case.h"
#include "app/model/incident_lanes.h"
#include "app/model/note_desk.h"
#include "app/model/time_window.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::model {

class Console;

/// One incident: what the store knows of it, as facts, charts, lanes, a story and a log.
class IncidentDetail final : public QObject
{
    Q_OBJECT

public:
    explicit IncidentDetail(Console& console, QObject* parent = nullptr);

    void open(QString id);
    void close();
    void ask();
    /// Once a second while somebody looks.
    void tick();
    void setFilter(const QString& filter);
    /// The next (1) or previous (-1) event of the story: its row, with the crosshair on it. From no
    /// row the first or last one.
    [[nodiscard]] QString step(const QString& fromKey, int direction);
    /// The crosshair on the time of this row.
    void pointAt(const QString& key);
    /// A new note at the crosshair, or at this row, or now.
    void writeNote(const QString& atKey);
    /// A new note of the story with the words of a row of the log.
    void promote(const QString& key);
    void editNote(const QString& noteId);

    [[nodiscard]] bool isOpen() const { return !m_id.isEmpty(); }

    [[nodiscard]] const QString& id() const { return m_id; }

    /// Null before the first answer, and where the store has no such incident.
    [[nodiscard]] const IncidentCase* known() const;
    [[nodiscard]] PanelState panel() const;
    /// "OPEN 12 m · last evidence 3 m ago".
    [[nodiscard]] Look state() const;

    /// Names and values for the head of the page.
    [[nodiscard]] const std::vector<std::pair<QString, QString>>& facts() const { return m_facts; }

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }

    [[nodiscard]] const std::vector<CaseLine>& lines() const { return m_lines; }

    /// Null where there is no such line.
    [[nodiscard]] const CaseLine* line(const QString& key) const;

    [[nodiscard]] Grid& story() { return m_story; }

    [[nodiscard]] Grid& log() { return m_log; }

    [[nodiscard]] NoteDesk& desk() { return m_desk; }

    [[nodiscard]] TimeWindow& window() { return m_window; }

    /// Outlived by this.
    [[nodiscard]] ChartFeed chartFeed();

signals:
    void changed();

private:
    void fill();
    void fillFacts();
    void fillMarks();
    void fillGrids();

    Console& m_console;
    QString m_id;
    Asked<std::optional<IncidentCase>> m_asked;
    NoteDesk m_desk;
    TimeWindow m_window;
    History m_history;
    std::vector<Annotation> m_marks;
    std::vector<std::pair<QString, QString>> m_facts;
    std::vector<Lane> m_lanes;
    std::vector<CaseLine> m_lines;
    Grid m_story;
    Grid m_log;
    QString m_filter;
    UtcTime m_askedAt{};
};

} // namespace weir::model
