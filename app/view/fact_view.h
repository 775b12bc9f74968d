// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/route_facts.h"
#include "app/view/theme.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QGridLayout;

namespace weir::view {

/// Groups of facts below each other, names on the left, in plain text that can be selected; grows
/// downwards and scrolls.
class FactView final : public QScrollArea
{
    Q_OBJECT

public:
    FactView(const Theme& theme, const QString& name, QWidget* parent = nullptr);

    void show(const std::vector<model::RouteFactGroup>& groups);
    /// Instead of facts; empty = loading.
    void showNothing(const QString& text);
    void setDimmed(bool isDimmed);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void rebuild(const std::vector<model::RouteFactGroup>& groups);
    [[nodiscard]] QWidget* makeValue(const model::RouteFact& fact);

    const Theme& m_theme;
    QWidget* m_body;
    QGridLayout* m_grid;
    QLabel* m_nothing;
    std::vector<model::RouteFactGroup> m_shown;
    /// One a fact, in order.
    std::vector<QLabel*> m_values;
};

} // namespace weir::view
