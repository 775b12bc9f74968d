// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/switch_desk.h"
#include "app/view/theme.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

class MessageBar;
class SwitchForm;
class SwitchProgressView;

/// Turns adaptive routing off or on: says what will happen, takes a reason, writes once, and then
/// shows how far the agents are. Ctrl+Return commits, Return never does, Esc keeps the draft.
class SwitchDialog final : public QDialog
{
    Q_OBJECT

public:
    SwitchDialog(const Theme& theme, model::SwitchDesk& desk, QWidget* parent = nullptr);

    void refresh();
    void done(int result) override;

private:
    void makeButtons(QVBoxLayout& layout);
    void refreshTexts();
    void refreshButtons();
    void commit();

    const Theme& m_theme;
    model::SwitchDesk& m_desk;
    QLabel* m_title;
    QLabel* m_effect;
    QLabel* m_warnings;
    QLabel* m_notice;
    SwitchForm* m_form;
    SwitchProgressView* m_progress;
    QLabel* m_whyNot;
    QPushButton* m_cancel;
    QPushButton* m_commit;
    QTimer m_tick;
};

} // namespace weir::view
