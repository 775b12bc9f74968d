// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/experiments.h"

#include "app/model/format.h"
#include "app/model/provider_order.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr std::chrono::minutes kOld{5};
/// Decisions that one look reads: each is decoded.
constexpr std::int64_t kDecisionsMax = 50'000;
constexpr int kRunsMax = 200;

PanelState orEmpty(PanelState state, bool isEmpty, const char* text)
{
    if (state.kind != PanelState::Kind::Live || !isEmpty) return state;
    state.kind = PanelState::Kind::Empty;
    state.text = QString::fromUtf8(text);
    return state;
}

} // namespace

Experiments::Experiments(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_shadow(console.archive(), console.clock(), [this] { showAll(); })
    , m_mirror(console.archive(), console.clock(), [this] { showAll(); })
    , m_evals(console.archive(), console.clock(), [this] { showAll(); })
    , m_shadowGrid(shadowColumns())
    , m_mirrorGrid(mirrorColumns())
    , m_evalGrid(evalColumns())
{
}

void Experiments::show(std::chrono::hours length)
{
    m_length = length;
    read();
}

void Experiments::read()
{
    m_askedAt = m_console.now();
    const UtcTime since = m_askedAt - m_length;
    m_evals.ask([](store::Database& database) -> Result<Evals> {
        auto runs = database.evalRuns({}, kRunsMax);
        if (!runs) return tl::unexpected(runs.error());
        auto scores = database.qualityScores();
        if (!scores) return tl::unexpected(scores.error());
        return Evals{std::move(*runs), std::move(*scores)};
    });
    m_mirror.ask([since](store::Database& database) -> Result<std::vector<quality::MirrorReport>> {
        store::MirrorQuery query;
        query.sinceMs = epochMs(since);
        const auto found = database.comparisons(query);
        if (!found) return tl::unexpected(found.error());
        return quality::mirrorReports(*found, {});
    });
    m_shadow.ask([since](store::Database& database) {
        return reports::readAgreement(database, since, kDecisionsMax);
    });
    emit changed();
}

bool Experiments::isReading() const
{
    return m_shadow.isAsking() || m_mirror.isAsking() || m_evals.isAsking();
}

void Experiments::refresh()
{
    const bool isOld = m_console.now() - m_askedAt >= kOld;
    if (isOld && !isReading() && m_shadow.hasArchive()) read();
}

void Experiments::showAll()
{
    if (const reports::Agreement* agreement = m_shadow.value()) {
        std::set<std::string> providers;
        for (const auto& [name, counts] : agreement->first)
            providers.insert(name);
        m_shadowGrid.apply(shadowRows(*agreement, providerOrder(m_console, providers)));
    }
    if (m_mirror.value() != nullptr) m_mirrorGrid.apply(mirrorRows(*m_mirror.value()));
    if (const Evals* evals = m_evals.value())
        m_evalGrid.apply(evalRows(evals->runs, evals->scores));
    emit changed();
}

PanelState Experiments::shadowPanel() const
{
    const reports::Agreement* value = m_shadow.value();
    const PanelState state = orEmpty(
        m_shadow.panel(),
        value != nullptr && value->decisions == 0,
        "No decision of shadow mode in that time. Shadow mode serves the fixed order and records "
        "what adaptive routing would have done:\nweirctl mode set shadow --reason \"first week\"");
    return orEmpty(
        state,
        m_shadowGrid.rowCount() == 0,
        "Shadow mode would have done the same as the fixed order every time.");
}

PanelState Experiments::mirrorPanel() const
{
    return orEmpty(
        m_mirror.panel(),
        m_mirrorGrid.rowCount() == 0,
        "No copy was compared in that time. Give a task in weir.toml a candidate:\n"
        "mirror = { model = \"candidate\", share = 0.01, grader = \"judge\" }");
}

PanelState Experiments::evalPanel() const
{
    return orEmpty(
        m_evals.panel(),
        m_evalGrid.rowCount() == 0,
        "No eval run yet. Score every route of a task's ladder:\n"
        "weirctl eval run set.jsonl --task code-review --config weir.toml");
}

QString Experiments::shadowText() const
{
    const reports::Agreement* agreement = m_shadow.value();
    if (agreement == nullptr || agreement->decisions == 0) return {};
    QString text = QStringLiteral("Estimates: what one decision would have changed, by the figures "
                                  "of the summary that it was made from; no answer was measured.");
    if (agreement->read >= kDecisionsMax) {
        text += QStringLiteral(" Only the newest %1 decisions were read.").arg(kDecisionsMax);
    }
    return text;
}

QString Experiments::mirrorText(const QString& key) const
{
    const auto* reports = m_mirror.value();
    if (reports == nullptr || reports->empty()) return {};
    const int row = std::max(0, m_mirrorGrid.rowOf(key));
    return model::mirrorText((*reports)[static_cast<std::size_t>(row)]);
}

} // namespace weir::model
