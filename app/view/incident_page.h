// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/incident_detail.h"
#include "app/model/incident_list.h"
#include "app/view/export_dialog.h"
#include "app/view/incident_detail_view.h"
#include "app/view/incident_list_view.h"
#include "app/view/note_dialog.h"
#include "app/view/page.h"
#include "app/view/theme.h"

#include <QPointer>

class QStackedWidget;

namespace weir::view {

/// Incidents: the list of a time, and one of them with its story, charts, notes and review.
class IncidentPage final : public Page
{
    Q_OBJECT

public:
    IncidentPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);
    ~IncidentPage() override;

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    [[nodiscard]] QWidget* filterField() const override;
    bool goBack() override;
    [[nodiscard]] model::Place place() const override;

    [[nodiscard]] IncidentListView& listView() { return *m_listView; }

    [[nodiscard]] IncidentDetailView& detailView() { return *m_detailView; }

    [[nodiscard]] model::IncidentList& list() { return m_list; }

    [[nodiscard]] model::IncidentDetail& detail() { return m_detail; }

    [[nodiscard]] NoteDialog* noteDialog() const { return m_note; }

    [[nodiscard]] ExportDialog* exportDialog() const { return m_export; }

private:
    void makeKeys();
    void show(const QString& incident);
    void showList();
    void follow(const QString& key);
    void writeNote();
    void editNote(const QString& key);
    void openNote();
    void openExport();
    void copyLink() const;

    const Theme& m_theme;
    model::Console& m_console;
    model::IncidentList m_list;
    model::IncidentDetail m_detail;
    QStackedWidget* m_stack;
    IncidentListView* m_listView;
    IncidentDetailView* m_detailView;
    QPointer<NoteDialog> m_note;
    QPointer<ExportDialog> m_export;
    /// Keys that mean something only while an incident is open.
    std::vector<QAction*> m_detailKeys;
};

} // namespace weir::view
