// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/settings_scene.h"

#include "app/view/pieces.h"

#include <QLabel>
#include <QPushButton>

namespace weir::test {

QString goodReason()
{
    return QStringLiteral("answers are too slow");
}

void fillDay(Stage& stage, std::int64_t limitMilliRps)
{
    stage.fill();
    saveDay(stage.archive.database(), stage.clock.now(), kDecisions, limitMilliRps);
}

view::SettingsPage& openSettings(Stage& stage, const QString& key)
{
    stage.window.go({model::Place::Page::Settings, key, std::nullopt});
    stage.settle();
    return *stage.window.findChild<view::SettingsPage*>();
}

void saveAs(Stage& stage, const std::string& who, const std::vector<std::string>& assignments)
{
    store::Database& database = stage.archive.database();
    const auto decisions = database.readDecisions();
    const auto edit = reports::editSettings(*decisions, assignments, {});
    if (!edit) qFatal("%s", edit.error().text().c_str());
    store::Authorship by{who, "elsewhere", "storm in the east", {}, stage.clock.now()};
    if (edit->settingsChanged) {
        const auto write = database.writeSettings({edit->settings, edit->settings.version, by});
        if (!write || write->outcome != store::WriteOutcome::Written) qFatal("not written");
    }
    for (const RouteSettings& row : edit->routes) {
        const auto write = database.writeRoute({row, row.version, by});
        if (!write || write->outcome != store::WriteOutcome::Written) qFatal("not written");
    }
}

RoutingSettings storedSettings(Stage& stage)
{
    return stage.archive.database().readDecisions()->settings;
}

std::size_t auditCount(Stage& stage)
{
    return stage.archive.database().audit(1000)->size();
}

QString textOf(view::SettingsPage& page)
{
    QStringList texts;
    for (const view::Line* line : page.findChildren<view::Line*>())
        if (line->isVisible()) texts << line->text();
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisible()) texts << label->text();
    return texts.join(QChar('\n'));
}

QPushButton& buttonIn(QWidget& page, const char* text)
{
    for (QPushButton* each : page.findChildren<QPushButton*>()) {
        if (each->text().startsWith(QString::fromLatin1(text))) return *each;
    }
    qFatal("no button %s", text);
}

} // namespace weir::test
