// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings_desk.h"
#include "app/view/page.h"
#include "app/view/settings_audit_view.h"
#include "app/view/settings_form.h"
#include "app/view/settings_merge_view.h"
#include "app/view/settings_preview_view.h"
#include "app/view/theme.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace weir::view {

class MessageBar;
class SwitchProgressView;

/// The settings: a form beside what it would have done, and the audit. Ctrl+Return saves.
class SettingsPage final : public Page
{
    Q_OBJECT

public:
    SettingsPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    [[nodiscard]] QWidget* filterField() const override;
    bool goBack() override;
    [[nodiscard]] model::Place place() const override;

    [[nodiscard]] model::SettingsDesk& desk() { return m_desk; }

    [[nodiscard]] SettingsForm& form() { return *m_form; }

    [[nodiscard]] SettingsAuditView& audit() { return *m_audit; }

protected:
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* makeEditor();
    [[nodiscard]] QWidget* makeFoot();
    void showTab(int tab);
    void showAll();
    void showMessages();
    void showFoot();

    const Theme& m_theme;
    model::Console& m_console;
    model::SettingsDesk m_desk;
    MessageBar* m_trouble;
    MessageBar* m_news;
    MessageBar* m_notice;
    QPushButton* m_formTab;
    QPushButton* m_auditTab;
    Line* m_version;
    QStackedWidget* m_stack;
    SettingsForm* m_form;
    SettingsPreviewView* m_preview;
    SwitchProgressView* m_progress;
    SettingsMergeView* m_merge;
    SettingsAuditView* m_audit;
    QPlainTextEdit* m_reason;
    QPushButton* m_save;
    QPushButton* m_discard;
    QLabel* m_whyNot;
};

} // namespace weir::view
