// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings_desk.h"
#include "app/view/settings_page.h"
#include "tests/app/support/saved_day.h"
#include "tests/app/support/stage.h"

class QPushButton;

namespace weir::test {

inline constexpr int kDecisions = 400;

/// A reason of more than ten characters.
[[nodiscard]] QString goodReason();

/// The stage as after start-up, with a day of decisions in its store.
void fillDay(Stage& stage, std::int64_t limitMilliRps = -1);

/// Goes to the settings.
[[nodiscard]] view::SettingsPage& openSettings(Stage& stage, const QString& key = QString());

/// Another console's save, of settings and routes that have a row.
void saveAs(Stage& stage, const std::string& who, const std::vector<std::string>& assignments);

/// As the store has them.
[[nodiscard]] RoutingSettings storedSettings(Stage& stage);
[[nodiscard]] std::size_t auditCount(Stage& stage);

/// Every text on the page that can be seen.
[[nodiscard]] QString textOf(view::SettingsPage& page);
/// The one whose text begins like this.
[[nodiscard]] QPushButton& buttonIn(QWidget& page, const char* text);

} // namespace weir::test
