// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings_desk.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QRadioButton;

namespace weir::view {

class Line;

/// Two people changed the settings: the value both began from, theirs, yours, and which shall
/// stand.
class SettingsMergeView final : public QWidget
{
    Q_OBJECT

public:
    SettingsMergeView(const Theme& theme, model::SettingsDesk& desk, QWidget* parent = nullptr);

    void refresh();
    /// The first that can be chosen; null before there is one.
    [[nodiscard]] QWidget* first() const;

private:
    void makeRows();
    [[nodiscard]] QRadioButton*
    makeChoice(const model::MergeRow& row, model::MergeRow::Choice choice, QWidget* parent);

    struct Row
    {
        std::string key;
        QRadioButton* theirs = nullptr;
        QRadioButton* yours = nullptr;
    };

    const Theme& m_theme;
    model::SettingsDesk& m_desk;
    QLabel* m_news;
    QWidget* m_table;
    QWidget* m_room;
    std::vector<model::MergeRow> m_shown;
    std::vector<Row> m_rows;
    QLabel* m_whyNot;
    QPushButton* m_take;
    QPushButton* m_discard;
};

} // namespace weir::view
