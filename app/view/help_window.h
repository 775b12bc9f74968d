// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace weir::view {

/// The user guide: its chapters, and the one chosen. The same Markdown is read in the repository.
class HelpWindow final : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(const Theme& theme, QWidget* parent = nullptr);

    /// "live", "switch"; the first chapter where there is none of that name.
    void open(const QString& chapter);

    [[nodiscard]] QString chapter() const;

private:
    void showSource(const QString& chapter);
    void find(const QString& words);

    const Theme& m_theme;
    QListWidget* m_chapters;
    QTextBrowser* m_text;
    QLineEdit* m_find;
};

} // namespace weir::view
