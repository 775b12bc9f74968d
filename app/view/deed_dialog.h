// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/deed.h"
#include "app/view/theme.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

class ReasonField;

/// One look before a `Deed` is done: what will happen, what will bite, a reason. Ctrl+Return
/// commits, Return never does, Esc cancels.
class DeedDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both become the dialog's own; `form`, which may be null, stands above what will happen.
    DeedDialog(const Theme& theme, model::Deed* deed, QWidget* form, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] model::Deed& deed() { return *m_deed; }

private:
    void makeButtons(QVBoxLayout& layout);
    void readDraft();
    void refreshTexts();
    void refreshButtons();

    const Theme& m_theme;
    model::Deed* m_deed;
    QWidget* m_form;
    QLabel* m_title;
    QLabel* m_warnings;
    QLabel* m_notice;
    QLabel* m_effects;
    ReasonField* m_reason;
    QLabel* m_overrideLabel;
    QLineEdit* m_override;
    QLabel* m_whyNot;
    QPushButton* m_cancel;
    QPushButton* m_commit;
    QTimer m_tick;
};

} // namespace weir::view
