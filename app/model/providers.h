// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/drill_report.h"
#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/grid.h"
#include "app/model/route_facts.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::model {

/// What the providers page shows: the routes of the selected model, all about one of them, and the
/// drills with their reports.
class Providers final : public QObject
{
    Q_OBJECT

public:
    explicit Providers(Console& console, QObject* parent = nullptr);

    /// Asks the store now.
    void read();
    /// Each second: makes the rows anew, and asks again where the answer grew old.
    void refresh();

    /// By the provider's name; an unknown one leaves the first row chosen.
    void choose(const QString& provider);
    void openDrill(const QString& id);
    void closeDrill();

    [[nodiscard]] Grid& routes() { return m_routes; }

    [[nodiscard]] Grid& drills() { return m_drills; }

    [[nodiscard]] Grid& report() { return m_reportRows; }

    /// Empty where there is no route.
    [[nodiscard]] QString chosen() const;
    /// Null before the agent has told of it.
    [[nodiscard]] const RouteStatus* route() const;
    [[nodiscard]] const ModelStatus* model() const;
    [[nodiscard]] std::vector<RouteFactGroup> facts() const;

    /// Of the panels that the store feeds.
    [[nodiscard]] PanelState storePanel() const;
    /// Of the chart of permitted rates.
    [[nodiscard]] ChartFeed rateFeed();

    /// Empty while no report is open.
    [[nodiscard]] QString openReport() const { return m_reportId; }

    [[nodiscard]] QString reportTitle() const;
    [[nodiscard]] QStringList reportText() const;
    [[nodiscard]] PanelState reportPanel() const;
    /// Null where there is none of this id, or it is over.
    [[nodiscard]] const Drill* runningDrill(const QString& id) const;
    [[nodiscard]] QString drillsNothing() const;

signals:
    void changed();

private:
    struct Report
    {
        store::StoredDrill drill;
        DrillReport counted;
    };

    [[nodiscard]] const ProviderKnowledge* known() const;
    [[nodiscard]] RouteScene sceneOf(const RouteStatus& route) const;
    [[nodiscard]] GridRow rowOf(const RouteStatus& route) const;
    [[nodiscard]] PanelState ratePanel() const;
    void readReport();
    void annotate();

    Console& m_console;
    Grid m_routes;
    Grid m_drills;
    Grid m_reportRows;
    Asked<ProviderKnowledge> m_known;
    Asked<Report> m_report;
    std::string m_askedModel;
    UtcTime m_askedAt{};
    std::string m_chosen;
    QString m_reportId;
    std::vector<Annotation> m_annotations;
};

} // namespace weir::model
