// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_detail.h"

#include "app/model/decision_rows.h"
#include "app/model/format.h"
#include "common/routing/replay.h"

#include <algorithm>

namespace weir::model {
namespace {

QString firstOf(const routing::Explanation& explanation)
{
    const bool isAny = !explanation.routes.empty() && explanation.routes.front().place == 1;
    return isAny ? plain(explanation.routes.front().provider) : QStringLiteral("nobody");
}

} // namespace

DecisionDetail::DecisionDetail(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_asked(console.archive(), console.clock(), [this] { take(); })
    , m_ladder(ladderColumns())
    , m_attempts(attemptColumns())
    , m_hypothesis(hypothesisColumns())
{
}

void DecisionDetail::open(const QString& requestId)
{
    if (requestId != m_id) {
        m_id = requestId;
        m_asked.clear();
        m_explanation.reset();
        m_headline.clear();
        m_notes.clear();
        m_verdict = {};
        m_ladder.apply({});
        m_attempts.apply({});
        m_supposed.reset();
        m_hypothesis.apply({});
    }
    m_asked.ask([id = requestId.toStdString()](store::Database& database) {
        return reports::requestFile(database, id);
    });
    emit changed();
}

const reports::RequestFile* DecisionDetail::file() const
{
    return m_asked.value();
}

void DecisionDetail::take()
{
    const reports::RequestFile* const known = file();
    if (known != nullptr && !m_asked.error()) {
        m_explanation.reset();
        m_notes.clear();
        // Without its summary nothing can be said of scores, and nothing is guessed.
        const PoolSummary* const pool = known->pool ? &*known->pool : nullptr;
        if (known->saved && !known->trouble) {
            m_explanation = explained(known->saved->served, pool);
            for (const std::string& note : m_explanation->notes)
                m_notes << plain(note);
            if (known->saved->shadow) {
                const auto shadow = explained(*known->saved->shadow, pool);
                m_notes << QStringLiteral("adaptive mode would have gone to ") +
                               plain(shadow.headline);
            }
        }
        m_headline = headlineOf(*known, m_explanation);
        m_verdict = verdictOf(*known);
        m_ladder.apply(
            m_explanation ? ladderRows(*known, *m_explanation, m_console) : std::vector<GridRow>{});
        std::vector<GridRow> rows;
        for (const CallRecord& attempt : known->attempts)
            rows.push_back(attemptRow(attempt, m_console));
        m_attempts.apply(std::move(rows));
        if (m_supposed) suppose(*m_supposed);
    }
    emit changed();
}

routing::Explanation
DecisionDetail::explained(const DecisionRecord& record, const PoolSummary* pool) const
{
    return routing::explain(record, pool, file()->saved->providers, file()->first().promptEstimate);
}

PanelState DecisionDetail::panel() const
{
    PanelState state = m_asked.panel();
    const auto& error = m_asked.error();
    const bool isUnserved = error && error->code == "unserved";
    if (!isUnserved && (!error || error->code != "no_request")) return state;
    state.kind = PanelState::Kind::Empty;
    state.staleSince.reset();
    if (isUnserved) {
        state.text =
            QStringLiteral("Request ") + plain(m_id.toStdString()) +
            (error->detail.ends_with("shed")
                 ? QStringLiteral(" was batch work and was shed: no provider had room.")
                 : QStringLiteral(" ended without an attempt: no provider might serve it."));
        return state;
    }
    state.text = QStringLiteral("The ledger has no attempt of request ") +
                 plain(m_id.toStdString()) +
                 QStringLiteral(". It may be running still, or be older than the ledger keeps.");
    return state;
}

std::vector<Fact> DecisionDetail::facts() const
{
    return file() != nullptr ? factsOf(*file()) : std::vector<Fact>{};
}

std::vector<TimePiece> DecisionDetail::times() const
{
    return file() != nullptr ? timePieces(*file(), m_console) : std::vector<TimePiece>{};
}

QString DecisionDetail::timeText() const
{
    return file() != nullptr ? model::timeText(*file()) : QString();
}

QString DecisionDetail::sentenceOf(const QString& provider) const
{
    if (!m_explanation) return {};
    for (const routing::RouteAnswer& answer : m_explanation->routes) {
        if (plain(answer.provider) != provider) continue;
        return provider + QStringLiteral(" [") + plain(answer.code) + QStringLiteral("]: ") +
               plain(answer.sentence);
    }
    return {};
}

QString DecisionDetail::json() const
{
    return file() != nullptr ? jsonOf(*file(), m_explanation) : QString();
}

const DecisionRecord* DecisionDetail::adaptiveRecord() const
{
    if (!m_explanation) return nullptr;
    const SavedDecision& saved = *file()->saved;
    return saved.shadow ? &*saved.shadow : &saved.served;
}

const RoutingPolicy* DecisionDetail::policy() const
{
    const DecisionRecord* const record = adaptiveRecord();
    return record != nullptr ? &record->input.policy : nullptr;
}

void DecisionDetail::suppose(const RoutingPolicy& policy)
{
    const DecisionRecord* const record = adaptiveRecord();
    if (record == nullptr) return;
    m_supposed = policy;
    const PoolSummary* const saved = file()->pool ? &*file()->pool : nullptr;
    const std::vector<std::string>& providers = file()->saved->providers;
    // Under its own settings it is the decision itself, wherever the traffic's ramp stood.
    const bool isSame = policy == record->input.policy;
    std::optional<PoolSummary> planned;
    if (saved != nullptr) {
        planned = isSame ? *saved : routing::planUnder(*saved, policy, record->input.nowMs);
    }
    const PoolSummary* const pool = planned ? &*planned : nullptr;
    const DecisionRecord other = routing::decideUnder(*record, pool, providers, policy);
    const routing::Explanation would = explained(other, pool);
    m_hypothesis.apply(hypothesisRows(would, *m_explanation, m_console));
    const QString was = firstOf(*m_explanation);
    const QString is = firstOf(would);
    m_supposition = was == is ? QStringLiteral("It would have gone to %1 all the same.").arg(is)
                              : QStringLiteral("It would have gone to %1, not to %2.").arg(is, was);
    emit changed();
}

void DecisionDetail::stopSupposing()
{
    m_supposed.reset();
    m_supposition.clear();
    m_hypothesis.apply({});
    emit changed();
}

} // namespace weir::model
