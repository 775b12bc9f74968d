// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/switch_desk.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace weir::view {

class ReasonField;

/// What the operator fills in: a reason, and for turning on the checks, the environment's name and,
/// where a check failed, the override.
class SwitchForm final : public QWidget
{
    Q_OBJECT

public:
    SwitchForm(const Theme& theme, model::SwitchDesk& desk, QWidget* parent = nullptr);

    void refresh();
    void focusFirst();

private:
    void makeConfirmation(QVBoxLayout& layout);
    void readDraft();

    const Theme& m_theme;
    model::SwitchDesk& m_desk;
    ReasonField* m_reason;
    QWidget* m_checks;
    QVBoxLayout* m_checkList;
    std::vector<model::PreflightItem> m_shownChecks;
    QLabel* m_nameLabel;
    QLineEdit* m_name;
    QLabel* m_overrideLabel;
    QLineEdit* m_override;
    bool m_isFilling = false;
};

} // namespace weir::view
