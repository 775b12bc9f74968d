// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/profile_desk.h"
#include "app/view/theme.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

/// The environments of this user: where each one's store and agent are, its colour, its password.
class ProfileDialog final : public QDialog
{
    Q_OBJECT

public:
    /// `current` is chosen at first.
    ProfileDialog(
        const Theme& theme,
        model::ProfileDesk& desk,
        const QString& current,
        QWidget* parent = nullptr);

private:
    [[nodiscard]] QWidget* makeForm();
    void makeButtons(QVBoxLayout& layout);
    void refresh();
    void fill(const model::Profile& profile);
    void choose(int row);
    void save();
    [[nodiscard]] model::Profile typed() const;

    const Theme& m_theme;
    model::ProfileDesk& m_desk;
    std::vector<model::Profile> m_profiles;
    QString m_chosen;
    QListWidget* m_list;
    QLineEdit* m_name;
    QLineEdit* m_store;
    QLineEdit* m_agent;
    QComboBox* m_band;
    QLineEdit* m_password;
    QLabel* m_note;
    QPushButton* m_forget;
    QPushButton* m_remove;
    QPushButton* m_open;
};

} // namespace weir::view
