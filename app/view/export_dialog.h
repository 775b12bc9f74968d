// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/incident_document.h"
#include "app/view/theme.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace weir::view {

/// Shows the review of an incident and what is missing in it, and saves or copies it.
class ExportDialog final : public QDialog
{
    Q_OBJECT

public:
    /// `name` is what the file is called where nobody says otherwise, without its end.
    ExportDialog(
        const Theme& theme,
        ReviewDocument document,
        const model::IncidentReview& review,
        const QString& name,
        QWidget* parent = nullptr);

private:
    [[nodiscard]] QWidget* makeFile(const QString& name);
    void chooseFormat();
    void save();
    void say(model::Tone tone, const QString& text);
    [[nodiscard]] ReviewFormat format() const;

    const Theme& m_theme;
    ReviewDocument m_document;
    QLabel* m_missing;
    QComboBox* m_format = nullptr;
    QLineEdit* m_path = nullptr;
    QPushButton* m_save = nullptr;
    QLabel* m_outcome;
    /// The file that was there already, and that the next press replaces.
    QString m_replaced;
};

} // namespace weir::view
