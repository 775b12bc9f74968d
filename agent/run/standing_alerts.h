// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/status.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace weir::run {

/// Troubles of this agent's own that a person must act on, each since when. Any thread.
class StandingAlerts final
{
public:
    /// The trouble as it is now; an empty text ends it.
    void set(const std::string& kind, const std::string& text, UtcTime now)
    {
        const std::scoped_lock lock(m_mutex);
        if (text.empty()) {
            m_alerts.erase(kind);
            return;
        }
        Alert& alert = m_alerts.try_emplace(kind, Alert{kind, {}, now, {}}).first->second;
        alert.text = text;
    }

    [[nodiscard]] std::vector<Alert> list() const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<Alert> alerts;
        for (const auto& [kind, alert] : m_alerts)
            alerts.push_back(alert);
        return alerts;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Alert> m_alerts;
};

} // namespace weir::run
