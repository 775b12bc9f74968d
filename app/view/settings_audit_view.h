// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/grid.h"
#include "app/model/settings_desk.h"
#include "app/view/grid_view.h"
#include "app/view/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace weir::view {

/// Who changed what, when and why, and the way back.
class SettingsAuditView final : public QWidget
{
    Q_OBJECT

public:
    SettingsAuditView(const Theme& theme, model::SettingsDesk& desk, QWidget* parent = nullptr);

    void refresh();

    /// This entry's row, as soon as it has been read.
    void choose(const QString& id) { m_wanted = id; }

    [[nodiscard]] QLineEdit* filterField() const { return m_filter; }

    [[nodiscard]] GridView* table() const { return m_table; }

    /// The rows shown.
    [[nodiscard]] QString csv() const { return m_grid.csv(); }

signals:
    /// The draft takes a change back: to the form.
    void reverted();
    /// Somebody wants to see what traffic did then.
    void momentWanted(weir::UtcTime at);

private:
    void revertChosen();
    void saveCsv();
    [[nodiscard]] const AuditEntry* chosen() const;

    const Theme& m_theme;
    model::SettingsDesk& m_desk;
    model::Grid m_grid;
    QLineEdit* m_filter;
    GridView* m_table;
    QLabel* m_detail;
    QLabel* m_whyNot;
    QPushButton* m_revert;
    QPushButton* m_moment;
    QPushButton* m_csv;
    QString m_wanted;
};

} // namespace weir::view
