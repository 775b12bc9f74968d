// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/decision_detail.h"
#include "app/view/grid_view.h"
#include "app/view/message_bar.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"
#include "app/view/time_bar.h"
#include "app/view/what_if_form.h"

#include <QWidget>

class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

/// One request: the answer in words, the ladder, the attempts, replay and "what if?".
class DecisionView final : public QWidget
{
    Q_OBJECT

public:
    DecisionView(const Theme& theme, model::DecisionDetail& detail, QWidget* parent = nullptr);

    void refresh();
    /// False where it was not open.
    bool closeWhatIf();

    [[nodiscard]] GridView* ladder() const { return m_ladder; }

    [[nodiscard]] GridView* attempts() const { return m_attempts; }

    [[nodiscard]] GridView* hypothesis() const { return m_hypothesis; }

    [[nodiscard]] WhatIfForm* whatIf() const { return m_whatIf; }

    [[nodiscard]] QString verdictText() const { return m_verdict->text(); }

signals:
    void backWanted();
    void placeWanted(const weir::model::Place& place);
    /// All requests that this finds.
    void queryWanted(const QString& words);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeLadder();
    QWidget* makeWhatIf();
    QWidget* makeAttempts();
    QPushButton* makeButton(const QString& text, const QString& tip, QWidget* parent);
    void showLoading();
    void refreshMessage();
    void refreshFacts();
    void refreshSentence();
    void openWhatIf();
    void copyLink() const;

    const Theme& m_theme;
    model::DecisionDetail& m_detail;
    Line* m_id;
    Chip* m_verdict;
    MessageBar* m_message;
    QWidget* m_body;
    QLabel* m_headline;
    QWidget* m_facts;
    QGridLayout* m_factGrid;
    QStringList m_factsShown;
    QLabel* m_differences;
    GridView* m_ladder = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_whatIfButton = nullptr;
    QWidget* m_whatIfCard = nullptr;
    WhatIfForm* m_whatIf = nullptr;
    QLabel* m_supposition = nullptr;
    GridView* m_hypothesis = nullptr;
    GridView* m_attempts = nullptr;
    TimeBar* m_time = nullptr;
    QLabel* m_timeText = nullptr;
    QLabel* m_notes = nullptr;
};

} // namespace weir::view
