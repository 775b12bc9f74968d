// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/decision_query.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"

#include <QWidget>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace weir::view {

/// Where somebody types what to look for; the word at the cursor is completed.
class QueryBar final : public QWidget
{
    Q_OBJECT

public:
    QueryBar(const Theme& theme, QWidget* parent = nullptr);

    void setWords(const QString& words);

    void setNames(const model::QueryNames& names) { m_names = names; }

    /// Empty = the words can be read.
    void showTrouble(const QString& trouble);

    [[nodiscard]] QLineEdit* field() const { return m_field; }

signals:
    void asked(const QString& words);

private:
    void offer();
    void insert(const QString& completion);
    /// Where the word at the cursor begins.
    [[nodiscard]] qsizetype wordStart() const;

    QLineEdit* m_field;
    Line* m_trouble;
    QCompleter* m_completer;
    QStringListModel* m_offers;
    model::QueryNames m_names;
};

} // namespace weir::view
