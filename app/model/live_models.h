// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/history.h"
#include "app/model/provider_table.h"
#include "app/model/tiles.h"
#include "common/model/status.h"

#include <QStringList>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weir::model {

using StatusPtr = std::shared_ptr<const AgentStatus>;

/// The models that the agents serve: what the last snapshot says of them, their past, and the one
/// that somebody looks at.
class LiveModels final
{
public:
    void show(const StatusPtr& status, UtcTime at);
    /// Slices of one step, in milliseconds, of all models.
    void show(const std::vector<RouteSlice>& slices, Span covered, Ms step, UtcTime now);
    /// False where it is looked at already.
    bool select(const QString& name, UtcTime now);

    [[nodiscard]] QStringList names() const;

    [[nodiscard]] QString selected() const { return QString::fromStdString(m_selected); }

    /// Of the selected model.
    [[nodiscard]] const History& history() const;
    [[nodiscard]] std::vector<Tile> tiles() const;

    [[nodiscard]] ProviderTable& table() { return m_table; }

    /// Of the last snapshot; null where it has no such model.
    [[nodiscard]] const ModelStatus* current() const;

private:
    void refreshTable(UtcTime now);

    StatusPtr m_status;
    std::map<std::string, History> m_histories;
    std::string m_selected;
    ProviderTable m_table;
};

} // namespace weir::model
