// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_save.h"

#include <QUuid>

namespace weir::model {
namespace {

constexpr int kAuditMost = 1000;

store::Authorship authorOf(const SaveOrder& order, const RouteSettings& row)
{
    store::Authorship by = order.by;
    const QUuid whole(QString::fromStdString(by.requestUuid));
    const std::string name = row.model + '/' + row.provider;
    by.requestUuid = QUuid::createUuidV5(whole, QByteArray::fromStdString(name))
                         .toString(QUuid::WithoutBraces)
                         .toStdString();
    return by;
}

/// True where the row is written.
template <class Row>
bool note(const Result<store::Write<Row>>& write, SaveReport& report)
{
    if (!write) {
        report.error = write.error();
        report.isUnknown = write.error().code == "unreachable";
        return false;
    }
    report.wasRepeated |= write->outcome == store::WriteOutcome::Repeated;
    report.isConflict = write->outcome == store::WriteOutcome::Conflict || !write->row;
    return !report.isConflict;
}

} // namespace

Result<SettingsStand> readStand(store::Database& database)
{
    auto decisions = database.readDecisions();
    if (!decisions) return tl::unexpected(decisions.error());
    auto audit = database.audit(kAuditMost);
    if (!audit) return tl::unexpected(audit.error());
    return SettingsStand{std::move(*decisions), std::move(*audit)};
}

SaveReport saveSettings(store::Database& database, const SaveOrder& order)
{
    SaveReport report;
    // A store that does not even answer this has written nothing.
    if (const auto read = database.readDecisions(); !read) {
        report.error = read.error();
        return report;
    }
    if (order.edit.settingsChanged) {
        const auto write =
            database.writeSettings({order.edit.settings, order.edit.settings.version, order.by});
        if (!note(write, report)) return report;
        report.settings = write->row;
    }
    for (const RouteSettings& row : order.edit.routes) {
        const auto write = database.writeRoute({row, row.version, authorOf(order, row)});
        if (!note(write, report)) return report;
        report.routes.push_back(*write->row);
    }
    return report;
}

} // namespace weir::model
