// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/incident_watch.h"

#include "app/model/format.h"

namespace weir::model {
namespace {

constexpr auto kAskEvery = std::chrono::seconds{10};
constexpr int kMost = 100;

} // namespace

IncidentWatch::IncidentWatch(Archive* archive, Clock clock, std::function<void()> changed)
    : m_clock(clock)
    , m_asked(archive, std::move(clock), [this, changed = std::move(changed)] {
        if (text() == m_told) return;
        m_told = text();
        changed();
    })
{
}

void IncidentWatch::tick()
{
    const UtcTime now = m_clock();
    if (m_asked.isAsking() || now - m_askedAt < kAskEvery) return;
    m_askedAt = now;
    m_asked.ask([](store::Database& db) { return db.incidents({std::nullopt, true, kMost}); });
}

QString IncidentWatch::text() const
{
    if (open() == nullptr) return {};
    QString text =
        open()->empty()
            ? QStringLiteral("no open incident")
            : counted(static_cast<std::int64_t>(open()->size()), QStringLiteral("open incident"));
    if (!isFresh()) text += QStringLiteral("?");
    return text;
}

} // namespace weir::model
