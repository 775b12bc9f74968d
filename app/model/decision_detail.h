// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/request_file.h"
#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/decision_facts.h"
#include "app/model/grid.h"
#include "common/model/policy.h"
#include "common/routing/explain.h"

#include <QObject>

#include <optional>

namespace weir::model {

/// One request: why it went where it went, whether that can be computed again, and what other
/// settings would have made of it.
class DecisionDetail final : public QObject
{
    Q_OBJECT

public:
    explicit DecisionDetail(Console& console, QObject* parent = nullptr);

    /// Reads the request; also the same once more.
    void open(const QString& requestId);

    [[nodiscard]] const QString& id() const { return m_id; }

    /// Null before the answer.
    [[nodiscard]] const reports::RequestFile* file() const;
    /// Empty where the ledger has nothing of it.
    [[nodiscard]] PanelState panel() const;

    [[nodiscard]] const QString& headline() const { return m_headline; }

    /// Coins and rules that applied, one a line.
    [[nodiscard]] const QStringList& notes() const { return m_notes; }

    [[nodiscard]] const Verdict& verdict() const { return m_verdict; }

    [[nodiscard]] Grid& ladder() { return m_ladder; }

    [[nodiscard]] Grid& attempts() { return m_attempts; }

    /// Empty before the answer, as are the times.
    [[nodiscard]] std::vector<Fact> facts() const;
    [[nodiscard]] std::vector<TimePiece> times() const;
    [[nodiscard]] QString timeText() const;

    /// Why this provider stands where it stands, in full; empty where it is unknown.
    [[nodiscard]] QString sentenceOf(const QString& provider) const;
    /// As text for the clipboard.
    [[nodiscard]] QString json() const;

    /// What the decision was made under; nothing where no "what if?" can be answered.
    [[nodiscard]] const RoutingPolicy* policy() const;
    /// Decides under these settings, here and for nobody else.
    void suppose(const RoutingPolicy& policy);
    /// Back to what was.
    void stopSupposing();

    [[nodiscard]] bool isSupposing() const { return m_supposed.has_value(); }

    [[nodiscard]] const QString& supposition() const { return m_supposition; }

    [[nodiscard]] Grid& hypothesis() { return m_hypothesis; }

signals:
    void changed();

private:
    void take();
    /// In shadow mode what adaptive mode would have decided, else what was served.
    [[nodiscard]] const DecisionRecord* adaptiveRecord() const;
    [[nodiscard]] routing::Explanation
    explained(const DecisionRecord& record, const PoolSummary* pool) const;

    Console& m_console;
    QString m_id;
    Asked<reports::RequestFile> m_asked;
    std::optional<routing::Explanation> m_explanation;
    QString m_headline;
    QStringList m_notes;
    Verdict m_verdict;
    Grid m_ladder;
    Grid m_attempts;
    std::optional<RoutingPolicy> m_supposed;
    QString m_supposition;
    Grid m_hypothesis;
};

} // namespace weir::model
