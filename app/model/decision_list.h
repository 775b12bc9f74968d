// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/decision_query.h"
#include "app/model/grid.h"
#include "app/model/panel.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

/// The attempts that a query finds, newest first, a page at a time; while nobody paused the console
/// and the newest are in view, new ones come in by themselves.
class DecisionList final : public QObject
{
    Q_OBJECT

public:
    explicit DecisionList(Console& console, QObject* parent = nullptr);

    /// Asks with these words; where they cannot be read the old answer stays.
    void ask(const QString& words);
    /// Somebody came to the end of what is there.
    void more();
    /// Time went by; `isTopInView` = the newest rows are being looked at.
    void tick(bool isTopInView);
    /// The same question again.
    void retry();

    [[nodiscard]] const QString& words() const { return m_words; }

    /// What is wrong with the words; empty where nothing is.
    [[nodiscard]] const QString& wordsTrouble() const { return m_trouble; }

    [[nodiscard]] const DecisionQuery& query() const { return m_query; }

    /// The stretch that is asked for, by the words or by the window's range.
    [[nodiscard]] std::optional<Span> range() const;
    [[nodiscard]] PanelState panel() const;
    /// "200 attempts, newest first · more below · following".
    [[nodiscard]] QString status() const;

    /// The words without those that remove everything; nothing where no row is missing for that.
    [[nodiscard]] std::optional<QString> wayOut() const { return m_wayOut; }

    /// What `wayOut` does, for a button.
    [[nodiscard]] const QString& wayOutText() const { return m_wayOutText; }

    [[nodiscard]] QueryNames names() const;

    [[nodiscard]] Grid& grid() { return m_grid; }

signals:
    void changed();

private:
    enum class Kind { First, More, Tail };

    struct Listed
    {
        store::LedgerCursor at;
        GridRow row;
    };

    struct Answer
    {
        Kind kind = Kind::First;
        store::LedgerPage page;
    };

    /// Why there is no row.
    struct Nothing
    {
        std::int64_t inRange = 0;
        /// Without one of these there would be some.
        QStringList removers;
    };

    void askPage(Kind kind);
    void askWhyNothing();
    void take();
    void merge(std::vector<Listed> rows, Kind kind, std::optional<store::LedgerCursor> next);
    void explainNothing();
    void apply();
    void rangeChanged();
    [[nodiscard]] store::LedgerFilter filter() const;
    [[nodiscard]] bool isFollowing() const;

    Console& m_console;
    Grid m_grid;
    Asked<Answer> m_asked;
    Asked<Nothing> m_nothing;
    QString m_words;
    QString m_trouble;
    DecisionQuery m_query;
    std::vector<Listed> m_rows;
    std::optional<store::LedgerCursor> m_next;
    bool m_isComplete = false;
    QString m_emptyText;
    std::optional<QString> m_wayOut;
    QString m_wayOutText;
    UtcTime m_askedAt{};
};

} // namespace weir::model
