// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QPlainTextEdit;
class QPushButton;

namespace weir::view {

/// Why somebody does something, for the audit: one of some short reasons, or his own words.
class ReasonField final : public QWidget
{
    Q_OBJECT

public:
    ReasonField(const Theme& theme, const QStringList& chips, QWidget* parent = nullptr);

    /// Without `edited`.
    void show(const QString& chip, const QString& text);
    void focusText();

    /// Empty where none is chosen.
    [[nodiscard]] QString chip() const;
    [[nodiscard]] QString text() const;

signals:
    void edited();

private:
    void makeChip(const QString& name);

    const Theme& m_theme;
    std::vector<QPushButton*> m_chips;
    QPlainTextEdit* m_text;
    bool m_isFilling = false;
};

} // namespace weir::view
