// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/note_desk.h"
#include "app/view/theme.h"

#include <QDialog>

class QComboBox;
class QDateTimeEdit;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

/// A note on an incident: which part of the review it belongs to, when, what. Return writes
/// nothing; Ctrl+Return saves.
class NoteDialog final : public QDialog
{
    Q_OBJECT

public:
    NoteDialog(const Theme& theme, model::NoteDesk& desk, QWidget* parent = nullptr);

    void done(int result) override;

private:
    [[nodiscard]] QWidget* makeFields();
    [[nodiscard]] QWidget* makeConflict();
    void makeButtons(QVBoxLayout& layout);
    void refresh();
    void takeDraft();
    void edited();

    const Theme& m_theme;
    model::NoteDesk& m_desk;
    QLabel* m_title;
    QLabel* m_notice;
    QComboBox* m_section = nullptr;
    QDateTimeEdit* m_time = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QWidget* m_conflict = nullptr;
    QPlainTextEdit* m_theirs = nullptr;
    QLabel* m_whyNot;
    QPushButton* m_cancel;
    QPushButton* m_save;
};

} // namespace weir::view
