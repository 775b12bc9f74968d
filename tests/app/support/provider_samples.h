// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/providers_page.h"
#include "tests/app/support/stage.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// The sample, as a gate and a configuration say more of it; a full failover of baseten needs
/// `ratio` of what the others bear.
[[nodiscard]] AgentStatus knownStatus(double ratio = 0.6);
[[nodiscard]] AgentStatus withDrill(AgentStatus status, const Drill& drill);
/// Five minutes of snapshots up to the sample's time, in which the permitted rate was cut.
void fillLive(Stage& stage, bool isTroubled);

/// 30 % of the requests on baseten get a 429, for five minutes.
[[nodiscard]] Drill drillAt(UtcTime start, const std::string& id);
void saveDrill(Stage& stage, const Drill& drill);
void saveIncident(Stage& stage, std::optional<std::int64_t> endMs);
/// A summary, twenty minutes of calls, a drill that is over, an incident that is over.
void saveHistory(Stage& stage);
[[nodiscard]] std::vector<store::StoredDrill> drillsIn(Stage& stage);
[[nodiscard]] std::optional<RouteSettings> routeRow(Stage& stage, const std::string& provider);

/// To the providers page, settled.
view::ProvidersPage& goToProviders(Stage& stage, const QString& key = {});

/// Everything that what is visible of a widget says.
[[nodiscard]] QString textsOf(const QWidget& root);
[[nodiscard]] QString cellOf(const view::GridView& view, int row, int column);
[[nodiscard]] view::GridView& gridOf(const QWidget& page, const char* name);

/// Null where there is none whose accessible name begins so.
template <class T>
T* named(const QWidget& root, const char* name)
{
    for (T* widget : root.findChildren<T*>()) {
        if (widget->accessibleName().startsWith(QLatin1String(name))) return widget;
    }
    return nullptr;
}

void writeReason(view::DeedDialog& dialog, const char* text);
[[nodiscard]] bool isCommitEnabled(const view::DeedDialog& dialog);
void commit(Stage& stage, view::DeedDialog& dialog);
void keepDialog(view::DeedDialog& dialog, const QByteArray& name);

} // namespace weir::test
