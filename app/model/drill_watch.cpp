// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/drill_watch.h"

#include "app/model/drill_texts.h"
#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

/// Agents read a drill's row so often; nobody needs to know it sooner.
constexpr Duration kAskEvery = std::chrono::seconds{5};

bool holds(const std::vector<Drill>& drills, const std::string& id)
{
    return std::ranges::find(drills, id, &Drill::id) != drills.end();
}

} // namespace

DrillWatch::DrillWatch(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_open(console.archive(), console.clock(), [this] { emit changed(); })
{
}

void DrillWatch::refresh()
{
    const UtcTime now = m_console.now();
    if (now - m_askedAt < kAskEvery || m_open.isAsking()) return;
    m_askedAt = now;
    m_open.ask([](store::Database& database) -> Result<std::vector<Drill>> {
        auto decisions = database.readDecisions();
        if (!decisions) return tl::unexpected(decisions.error());
        return std::move(decisions->drills);
    });
}

std::vector<RunningDrill> DrillWatch::running() const
{
    std::vector<RunningDrill> found;
    const UtcTime now = m_console.now();
    const std::vector<Drill>* const open = m_open.value();
    if (const AgentStatus* const status = m_console.status()) {
        for (const DrillStatus& each : status->drills) {
            if (each.drill.endsAt <= now) continue;
            const bool isEnding = open != nullptr && !m_open.error() &&
                                  m_open.at() > each.drill.startsAt && !holds(*open, each.drill.id);
            found.push_back({each.drill, each.counts, isEnding});
        }
    }
    if (open != nullptr) {
        for (const Drill& drill : *open) {
            const auto isSame = [&](const RunningDrill& known) {
                return known.drill.id == drill.id;
            };
            if (drill.endsAt <= now || std::ranges::any_of(found, isSame)) continue;
            found.push_back({drill, std::nullopt, false});
        }
    }
    std::ranges::stable_sort(found, {}, [](const RunningDrill& each) { return each.drill.endsAt; });
    return found;
}

QString RunningDrill::text(UtcTime now) const
{
    QString words = QStringLiteral("Drill of ") + plain(drill.model) + QStringLiteral(": ") +
                    drillEffect(drill) + QStringLiteral(" · ");
    words += isEnding ? QStringLiteral("ending, agents stop it within 5 s")
                      : countdown(drill.endsAt - now) + QStringLiteral(" left");
    if (counts) {
        words += QStringLiteral(" · %1 of %2 requests failed")
                     .arg(counts->failures)
                     .arg(counts->requests);
    }
    if (!drill.startedBy.empty()) words += QStringLiteral(" · by ") + plain(drill.startedBy);
    return words;
}

QString countdown(Duration left)
{
    const auto seconds =
        std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(left).count());
    const QString rest = QString::number(seconds % 60) + QStringLiteral(" s");
    return seconds < 60 ? rest : QString::number(seconds / 60) + QStringLiteral(" m ") + rest;
}

} // namespace weir::model
