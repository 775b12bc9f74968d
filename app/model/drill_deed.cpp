// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/drill_deed.h"

#include "app/model/blast_radius.h"
#include "app/model/drill_texts.h"
#include "app/model/format.h"
#include "app/model/route_facts.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr Duration kGroundAge = std::chrono::seconds{5};
constexpr std::chrono::minutes kLengthFirst{10};
constexpr double kPpmOne = 1e6;

reports::KnownRoutes routesOf(const AgentStatus* status)
{
    reports::KnownRoutes known;
    if (status == nullptr) return known;
    known.complete = true;
    for (const ModelStatus& model : status->models) {
        for (const RouteStatus& route : model.routes)
            known.routes.push_back({model.name, route.provider});
    }
    return known;
}

Drill shownDrill(const reports::DrillPlan& plan)
{
    return reports::drillOf(plan, {});
}

} // namespace

DrillDeed::DrillDeed(Console& console, std::string model, std::string provider, QObject* parent)
    : Deed(console, parent)
    , m_ground(console.archive(), console.clock(), [this] { emit changed(); })
    , m_write(console.archive(), console.clock(), [this] { settle(); })
{
    m_plan.model = std::move(model);
    m_plan.provider = std::move(provider);
    m_plan.length = kLengthFirst;
    readGround();
}

void DrillDeed::readGround()
{
    m_readAt = console().now();
    m_ground.ask([](store::Database& database) -> Result<Ground> {
        auto decisions = database.readDecisions();
        if (!decisions) return tl::unexpected(decisions.error());
        store::IncidentQuery query;
        query.openOnly = true;
        auto incidents = database.incidents(query);
        if (!incidents) return tl::unexpected(incidents.error());
        return Ground{std::move(*decisions), std::move(*incidents)};
    });
}

void DrillDeed::refresh()
{
    const bool isOld = console().now() - m_readAt >= kGroundAge;
    if (phase() != Phase::Done && isOld && !m_ground.isAsking()) readGround();
}

QString DrillDeed::title() const
{
    return QStringLiteral("Start a drill on ") + plain(m_plan.model);
}

QString DrillDeed::button() const
{
    return QStringLiteral("Start drill");
}

QStringList DrillDeed::chips() const
{
    return {
        QStringLiteral("monthly drill"),
        QStringLiteral("new provider"),
        QStringLiteral("after an incident")};
}

QStringList DrillDeed::providers() const
{
    QStringList names;
    if (const ModelStatus* const model = status()) {
        for (const RouteStatus& route : model->routes)
            names << QString::fromStdString(route.provider);
    }
    return names;
}

void DrillDeed::setPlan(const reports::DrillPlan& plan)
{
    if (plan == m_plan) return;
    m_plan = plan;
    emit changed();
}

const ModelStatus* DrillDeed::status() const
{
    const AgentStatus* const agent = console().status();
    if (agent == nullptr) return nullptr;
    const auto found = std::ranges::find(agent->models, m_plan.model, &ModelStatus::name);
    return found == agent->models.end() ? nullptr : &*found;
}

QStringList DrillDeed::effects() const
{
    if (phase() == Phase::Done && m_started) {
        return {
            sentence(drillEffect(*m_started).toStdString()) + QStringLiteral(" It runs until ") +
            clockText(m_started->endsAt) +
            QStringLiteral(", on every agent within about 5 s, and ends by itself there, also "
                           "without this console.")};
    }
    const Drill drill = shownDrill(m_plan);
    QStringList lines{sentence(drillEffect(drill).toStdString())};
    const ModelStatus* const model = status();
    if (model == nullptr) return lines;
    const bool isDelay = m_plan.kind == DrillKind::Delay;
    const double share =
        m_plan.kind == DrillKind::Breaker ? 1.0 : static_cast<double>(m_plan.sharePpm) / kPpmOne;
    const auto radius = blastRadius(*model, m_plan.provider, share, console().now());
    if (isDelay) {
        lines << rate(radius.movedRps) +
                     QStringLiteral(" req/s wait; nothing moves unless a time limit is passed");
    } else {
        lines += radiusLines(radius, plain(m_plan.model));
    }
    lines << QStringLiteral("Ends by itself after ") + age(m_plan.length) +
                 QStringLiteral(", or where more than ") +
                 percent(static_cast<double>(m_plan.abortFailurePpm) / kPpmOne) +
                 QStringLiteral(" of the model's requests fail for their callers");
    return lines;
}

std::optional<reports::DrillObjection> DrillDeed::fault() const
{
    const auto* const ground = m_ground.value();
    if (ground == nullptr) return std::nullopt;
    return reports::objectionTo(m_plan, routesOf(console().status()), ground->decisions);
}

bool DrillDeed::needsOverride() const
{
    const auto objection = fault();
    return objection && objection->kind == reports::DrillObjection::Kind::Poor;
}

QStringList DrillDeed::warnings() const
{
    if (phase() == Phase::Done) return {};
    QStringList lines;
    if (const QString hazards = hazardText(); !hazards.isEmpty()) {
        lines << QStringLiteral("Blocked: ") + hazards;
    }
    const auto objection = fault();
    if (objection && objection->kind == reports::DrillObjection::Kind::Poor) {
        lines << sentence(objection->text);
    }
    const ModelStatus* const model = status();
    if (model == nullptr) return lines;
    const auto failover =
        std::ranges::find(model->failover, m_plan.provider, &FailoverStatus::provider);
    const bool isKnown = failover != model->failover.end() && failover->ratio;
    if (!isKnown && m_plan.kind != DrillKind::Delay) {
        lines << QStringLiteral("Nobody knows whether the others bear it: ") +
                     failoverFact(*model, m_plan.provider).value.remove(unknown()).trimmed();
    }
    return lines;
}

QString DrillDeed::groundFault() const
{
    if (const auto& error = m_ground.error()) {
        return QStringLiteral("Open incidents cannot be read from the store: ") +
               plain(error->text());
    }
    const auto* const ground = m_ground.value();
    if (ground == nullptr) {
        return QStringLiteral("Open incidents have not been read from the store yet.");
    }
    const UtcTime now = console().now();
    for (const Drill& drill : ground->decisions.drills) {
        if (drill.model != m_plan.model || drill.endsAt <= now) continue;
        return QStringLiteral("Another drill of this model runs until ") + clockText(drill.endsAt) +
               QStringLiteral(": wait, or end it.");
    }
    if (console().fleet().heard(now).empty()) {
        return QStringLiteral("No agent is heard that could run the drill.");
    }
    return hazardText().isEmpty() ? QString() : QStringLiteral("Blocked: see the warning.");
}

QString DrillDeed::hazardText() const
{
    const auto* const ground = m_ground.value();
    const ModelStatus* const model = status();
    if (ground == nullptr || model == nullptr) return {};
    QStringList words;
    for (const std::string& hazard : reports::hazardsOf(m_plan, ground->incidents, model->failover))
        words << plain(hazard);
    return words.join(QStringLiteral("; "));
}

QString DrillDeed::planFault() const
{
    if (m_plan.length < std::chrono::seconds{1} || m_plan.length > reports::kDrillLengthMax) {
        return QStringLiteral("Choose a length of 1 to 60 minutes.");
    }
    const bool isShare = m_plan.sharePpm >= 1 && m_plan.sharePpm <= 1'000'000;
    if (m_plan.kind != DrillKind::Breaker && !isShare) {
        return QStringLiteral("Choose a share above 0 and at most 100 %.");
    }
    const bool isDelay = m_plan.delayMs >= 1 && m_plan.delayMs <= reports::kDrillDelayMaxMs;
    if (m_plan.kind == DrillKind::Delay && !isDelay) {
        return QStringLiteral("Choose a delay of up to 60 s.");
    }
    return {};
}

QString DrillDeed::objection() const
{
    if (status() == nullptr) return QStringLiteral("The agent has not told its routes yet.");
    if (const QString what = planFault(); !what.isEmpty()) return what;
    // It may run already, and would speak against itself.
    if (isUnconfirmed()) return {};
    if (const QString what = groundFault(); !what.isEmpty()) return what;
    const auto objection = fault();
    const bool isBlocked = objection && objection->kind != reports::DrillObjection::Kind::Poor;
    return isBlocked ? sentence(objection->text) : QString();
}

void DrillDeed::write(const store::Authorship& by)
{
    reports::DrillPlan plan = m_plan;
    if (plan.kind == DrillKind::Breaker) plan.sharePpm = 1'000'000;
    if (plan.kind != DrillKind::Delay) plan.delayMs = 0;
    const Drill drill = reports::drillOf(plan, by);
    m_write.ask(
        [drill, by](store::Database& database) -> Result<Drill> {
            auto started = database.startDrill(drill, by);
            const bool isOurs = !started && started.error().code == "drill_running" &&
                                started.error().where == drill.id;
            if (!isOurs) return started;
            // An earlier try was written, and only its answer was lost.
            auto row = database.drill(drill.id);
            if (!row) return tl::unexpected(row.error());
            if (!*row) return started;
            return (*row)->drill;
        },
        Archive::Lane::Write);
}

void DrillDeed::settle()
{
    if (const auto& error = m_write.error()) {
        refused(*error);
        if (!isUnconfirmed()) readGround();
        return;
    }
    m_started = *m_write.value();
    written();
}

DrillEndDeed::DrillEndDeed(Console& console, Drill drill, QObject* parent)
    : Deed(console, parent)
    , m_drill(std::move(drill))
    , m_write(console.archive(), console.clock(), [this] { settle(); })
{
}

QString DrillEndDeed::title() const
{
    return QStringLiteral("End the drill on ") + plain(m_drill.provider) + QStringLiteral(" now");
}

QString DrillEndDeed::button() const
{
    return QStringLiteral("End drill now");
}

QStringList DrillEndDeed::chips() const
{
    return {
        QStringLiteral("seen enough"),
        QStringLiteral("users notice"),
        QStringLiteral("a real incident")};
}

QStringList DrillEndDeed::effects() const
{
    if (phase() == Phase::Done) {
        const store::StoredDrill& row = *m_write.value();
        const bool isOurs = row.endedBy == console().desk().who().name.toStdString();
        if (row.drill.endReason == "stopped" && isOurs) {
            return {QStringLiteral("Written: it is over, on every agent within about 5 s.")};
        }
        return {
            QStringLiteral("It was over already: ") + plain(row.drill.endReason) +
            QStringLiteral(", by ") + plain(row.endedBy) +
            QStringLiteral(". Nothing was changed.")};
    }
    return {
        sentence(drillEffect(m_drill).toStdString()),
        QStringLiteral("It would end by itself at ") + clockText(m_drill.endsAt) +
            QStringLiteral(". Ended now, every agent stops it within about 5 s.")};
}

void DrillEndDeed::write(const store::Authorship& by)
{
    const store::DrillEnd end{m_drill.id, "stopped", by};
    m_write.ask(
        [end](store::Database& database) { return database.endDrill(end); }, Archive::Lane::Write);
}

void DrillEndDeed::settle()
{
    if (const auto& error = m_write.error()) return refused(*error);
    written();
}

} // namespace weir::model
