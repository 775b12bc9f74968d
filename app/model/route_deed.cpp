// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/route_deed.h"

#include "app/model/blast_radius.h"
#include "app/model/format.h"
#include "app/model/route_facts.h"
#include "common/routing/fixed_order.h"

#include <algorithm>

namespace weir::model {
namespace {

QString whoWrote(const RouteSettings& row, UtcTime now)
{
    const QString what =
        row.enabled ? QStringLiteral(" switched it on ") : QStringLiteral(" switched it off ");
    return plain(row.updatedBy) + what + age(now - row.updatedAt) + QStringLiteral(" ago (“") +
           plain(row.reason) + QStringLiteral("”)");
}

} // namespace

RouteDeed::RouteDeed(
    Console& console, std::string model, std::string provider, bool enable, QObject* parent)
    : Deed(console, parent)
    , m_model(std::move(model))
    , m_provider(std::move(provider))
    , m_enable(enable)
    , m_decisions(console.archive(), console.clock(), [this] { emit changed(); })
    , m_write(console.archive(), console.clock(), [this] { settle(); })
{
    m_decisions.ask([](store::Database& database) { return database.readDecisions(); });
}

QString RouteDeed::title() const
{
    return (m_enable ? QStringLiteral("Switch on ") : QStringLiteral("Switch off ")) +
           plain(m_provider) + QStringLiteral(" for ") + plain(m_model);
}

QString RouteDeed::button() const
{
    return m_enable ? QStringLiteral("Switch on") : QStringLiteral("Switch off");
}

QStringList RouteDeed::chips() const
{
    if (m_enable) return {QStringLiteral("recovered"), QStringLiteral("maintenance over")};
    return {
        QStringLiteral("429 storm"),
        QStringLiteral("slow"),
        QStringLiteral("wrong answers"),
        QStringLiteral("maintenance"),
        QStringLiteral("cost")};
}

const ModelStatus* RouteDeed::status() const
{
    const AgentStatus* const agent = console().status();
    if (agent == nullptr) return nullptr;
    const auto found = std::ranges::find(agent->models, m_model, &ModelStatus::name);
    return found == agent->models.end() ? nullptr : &*found;
}

bool RouteDeed::isLast() const
{
    const ModelStatus* const model = status();
    if (m_enable || model == nullptr) return false;
    return std::ranges::none_of(model->routes, [this](const RouteStatus& route) {
        return route.enabled && route.provider != m_provider;
    });
}

QString RouteDeed::doneText() const
{
    const ModelStatus* const model = status();
    const QString what = m_enable ? QStringLiteral("on") : QStringLiteral("off");
    QString text = QStringLiteral("Written: ") + plain(m_provider) +
                   QStringLiteral(" is switched ") + what + QStringLiteral(" for ") +
                   plain(m_model) + QStringLiteral(". ");
    if (model == nullptr) return text + QStringLiteral("Agents apply it within about 5 s.");
    const auto route = std::ranges::find(model->routes, m_provider, &RouteStatus::provider);
    const QString agent = plain(console().status()->agentId);
    const bool isApplied = route != model->routes.end() && route->enabled == m_enable;
    return text + (isApplied ? agent + QStringLiteral(" has applied it.")
                             : QStringLiteral("Waiting for ") + agent +
                                   QStringLiteral(", which reads it within about 5 s."));
}

QStringList RouteDeed::effects() const
{
    if (phase() == Phase::Done) return {doneText()};
    const ModelStatus* const model = status();
    if (m_enable) {
        return {
            plain(m_provider) +
            QStringLiteral(" may get requests of %1 again, from every agent within about 5 s.")
                .arg(plain(m_model))};
    }
    QStringList lines{
        QStringLiteral("No agent sends it requests any more within about 5 s; those under way "
                       "are not broken off.")};
    if (model == nullptr) return lines;
    return lines +
           radiusLines(blastRadius(*model, m_provider, 1.0, console().now()), plain(m_model));
}

QStringList RouteDeed::warnings() const
{
    const ModelStatus* const model = status();
    if (m_enable || model == nullptr || phase() == Phase::Done) return {};
    if (isLast()) {
        return {
            QStringLiteral("It is the last enabled route: nothing would serve ") + plain(m_model)};
    }
    const RouteFact failover = failoverFact(*model, m_provider);
    if (failover.tone != Tone::Warning) return {};
    return {failover.value};
}

bool RouteDeed::needsOverride() const
{
    return isLast();
}

RouteSettings RouteDeed::row() const
{
    if (m_newest) return *m_newest;
    const Decisions* const decisions = m_decisions.value();
    const RouteSettings* const known =
        decisions == nullptr ? nullptr
                             : routing::settingsOf(decisions->routes, m_model, m_provider);
    if (known != nullptr) return *known;
    RouteSettings fresh;
    fresh.model = m_model;
    fresh.provider = m_provider;
    return fresh;
}

QString RouteDeed::objection() const
{
    if (const auto& error = m_decisions.error()) {
        return QStringLiteral("The route's settings cannot be read: ") + plain(error->text());
    }
    if (m_decisions.value() == nullptr) {
        return QStringLiteral("The route's settings have not been read from the store yet.");
    }
    const RouteSettings known = row();
    if (known.enabled != m_enable) return {};
    if (known.version == 0) return QStringLiteral("It is switched on already.");
    return whoWrote(known, console().now()) + QStringLiteral(". Nothing more to write.");
}

void RouteDeed::write(const store::Authorship& by)
{
    store::RouteChange change;
    change.route = row();
    change.expectedVersion = change.route.version;
    change.route.enabled = m_enable;
    change.by = by;
    m_write.ask(
        [change](store::Database& database) { return database.writeRoute(change); },
        Archive::Lane::Write);
}

void RouteDeed::settle()
{
    if (const auto& error = m_write.error()) return refused(*error);
    const Written& result = *m_write.value();
    if (result.outcome != store::WriteOutcome::Conflict) return written();
    m_newest = result.row;
    met(QStringLiteral("Nothing was written. ") +
        (result.row ? whoWrote(*result.row, console().now()) : QStringLiteral("The row is gone")) +
        QStringLiteral(". Review it and confirm again."));
}

} // namespace weir::model
