// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/status.h"

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace weir::run {

/// Troubles of this agent's own that a person must act on, each since when. While "store" stands,
/// which is that it cannot be read, it explains those that begin with "store_". Any thread.
class StandingAlerts final
{
public:
    /// What ends by itself is a person's business only after so long.
    static constexpr std::chrono::seconds kLasting{5};

    /// The trouble as it is now; an empty text ends it. `lasts`: for how long it has been one.
    void
    set(const std::string& kind,
        const std::string& text,
        UtcTime now,
        Duration lasts = Duration::max())
    {
        const std::scoped_lock lock(m_mutex);
        if (text.empty() || lasts < kLasting) {
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
        const bool isStoreAway = m_alerts.contains("store");
        for (const auto& [kind, alert] : m_alerts) {
            if (!isStoreAway || !kind.starts_with("store_")) alerts.push_back(alert);
        }
        return alerts;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Alert> m_alerts;
};

} // namespace weir::run
