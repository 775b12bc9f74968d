// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "common/model/incident.h"

#include <functional>
#include <vector>

namespace weir::model {

/// The incidents that are open now: what every page shows in its header.
class IncidentWatch final
{
public:
    /// `changed` is told of every other text.
    IncidentWatch(Archive* archive, Clock clock, std::function<void()> changed);

    /// Called a few times a second; asks every ten.
    void tick();

    /// Null before the first answer; what it was where the store does not answer now.
    [[nodiscard]] const std::vector<Incident>* open() const { return m_asked.value(); }

    /// False where the store did not answer the last question.
    [[nodiscard]] bool isFresh() const { return !m_asked.error().has_value(); }

    /// "2 open incidents", "no open incident"; empty before the first answer.
    [[nodiscard]] QString text() const;

private:
    Clock m_clock;
    Asked<std::vector<Incident>> m_asked;
    UtcTime m_askedAt{};
    /// The text that whoever shows it was told of.
    QString m_told;
};

} // namespace weir::model
