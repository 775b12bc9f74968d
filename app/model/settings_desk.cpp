// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/settings_desk.h"

#include "app/model/format.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>
#include <QUuid>

#include <algorithm>

namespace weir::model {
namespace {

/// Routes' settings tell nobody but the store that they changed.
constexpr Duration kReadEvery = std::chrono::seconds{5};

/// Empty where drafts are not kept.
QString draftPath(const Operator& who)
{
    if (who.dataFolder.isEmpty()) return {};
    const QByteArray profile = QUrl::toPercentEncoding(who.profile);
    const QString name = QStringLiteral("settings-draft-%1.json").arg(QString::fromLatin1(profile));
    return QDir(who.dataFolder).filePath(name);
}

} // namespace

SettingsDesk::SettingsDesk(Console& console, Save save, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_save(std::move(save))
    , m_read(console.archive(), console.clock(), [this] { takeStand(); })
    , m_write(console.archive(), console.clock(), [this] { takeReport(); })
    , m_preview(console.archive(), console.clock(), [this] { emit changed(); })
{
}

SettingsDesk::~SettingsDesk()
{
    keepDraft();
}

void SettingsDesk::read()
{
    m_askedAt = m_console.now();
    m_read.ask(readStand);
}

void SettingsDesk::tick()
{
    keepDraft();
    if (isRead() && m_editor.learnRoutes(knownRoutes())) ask();
    const auto& seen = m_console.settings();
    const bool isNews = isRead() && seen && seen->version > newest().settings.version;
    const bool isDue = m_console.now() - m_askedAt >= kReadEvery;
    if ((isNews || isDue) && !m_read.isAsking()) read();
}

void SettingsDesk::takeStand()
{
    if (m_read.error()) {
        emit changed();
        return;
    }
    if (!m_isDraftLoaded) loadDraft();
    m_editor.learnRoutes(knownRoutes());
    const bool isSame = isSameVersions(m_editor.draft().base, newest());
    if (m_editor.draft().isEmpty() && !isSame) m_editor.rebase(newest());
    if (m_phase == Phase::Merging) m_editor.startMerge(newest());
    emit changed();
}

void SettingsDesk::loadDraft()
{
    m_isDraftLoaded = true;
    m_editor.clear(newest());
    const QString path = draftPath(m_console.desk().who());
    if (path.isEmpty()) return;
    auto kept = readDraft(path);
    if (!kept) {
        m_notice =
            QStringLiteral("The draft that was kept cannot be read: ") + plain(kept.error().text());
        return;
    }
    if (!*kept) return;
    m_editor.take(std::move(**kept));
    m_notice = QStringLiteral("Your draft from before is back.");
    ask();
    if (m_editor.draft().requestUuid.empty()) return;
    m_phase = Phase::Unknown;
    m_notice = QStringLiteral("The console ended while this was being saved. Checking does the "
                              "same save once more, which the store takes only once.");
}

void SettingsDesk::keepDraft()
{
    const QString path = draftPath(m_console.desk().who());
    if (!m_isDirty || path.isEmpty()) return;
    m_isDirty = false;
    QDir().mkpath(QFileInfo(path).path());
    const Status<> kept = writeDraft(path, m_editor.draft());
    m_keepTrouble = kept ? QString()
                         : QStringLiteral("The draft would not survive a restart: ") +
                               plain(kept.error().text());
}

std::vector<reports::RouteName> SettingsDesk::knownRoutes() const
{
    std::vector<reports::RouteName> names;
    const auto add = [&names](const std::string& model, const std::string& provider) {
        const reports::RouteName name{model, provider};
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    if (const AgentStatus* status = m_console.status()) {
        for (const ModelStatus& model : status->models) {
            for (const RouteStatus& route : model.routes)
                add(model.name, route.provider);
        }
    }
    for (const RouteSettings& row : newest().routes)
        add(row.model, row.provider);
    return names;
}

void SettingsDesk::edit(const std::string& key, const std::string& value)
{
    if (!isEditable() || value == m_editor.value(key)) return;
    m_editor.set(key, value);
    touched();
    ask();
}

void SettingsDesk::touched()
{
    m_phase = Phase::Editing;
    m_notice.clear();
    m_isDirty = true;
}

void SettingsDesk::setReason(const QString& reason)
{
    if (!isEditable() || reason == m_editor.draft().reason) return;
    m_editor.setReason(reason);
    touched();
    emit changed();
}

void SettingsDesk::discard()
{
    const bool isUnderWay = m_phase == Phase::Writing || m_phase == Phase::Checking;
    if (isUnderWay || !isRead()) return;
    m_editor.clear(newest());
    touched();
    ask();
}

void SettingsDesk::ask()
{
    const auto& edit = m_editor.edit();
    if (edit) {
        const Decisions& base = m_editor.draft().base;
        m_preview.start(
            {{policyOf(base.settings), base.routes},
             {policyOf(edit->settings), m_editor.editedRoutes()},
             edit->changes});
    } else {
        m_preview.drop();
    }
    emit changed();
}

void SettingsDesk::retryPreview()
{
    m_preview.retry();
    emit changed();
}

void SettingsDesk::save()
{
    if (!whyNot().isEmpty()) return;
    m_editor.setRequest(QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString());
    m_phase = Phase::Writing;
    post();
}

void SettingsDesk::post()
{
    // First: whoever starts after a crash must be able to ask what became of it.
    m_isDirty = true;
    keepDraft();
    const Operator& who = m_console.desk().who();
    SaveOrder order;
    order.edit = *m_editor.edit();
    order.by.who = who.name.toStdString();
    order.by.host = who.host.toStdString();
    order.by.reason = m_editor.draft().reason.trimmed().toStdString();
    order.by.requestUuid = m_editor.draft().requestUuid;
    order.by.at = m_console.now();
    m_notice.clear();
    if (m_phase == Phase::Checking) {
        m_notice = QStringLiteral("The connection broke: outcome unknown, checking.");
    }
    m_write.ask(
        [order, save = m_save](store::Database& database) -> Result<SaveReport> {
            return save(database, order);
        },
        Archive::Lane::Write);
    emit changed();
}

void SettingsDesk::goOn()
{
    const bool isOver = m_phase == Phase::NotWritten || m_phase == Phase::Written;
    if (!isOver && m_phase != Phase::Unknown) return;
    m_isForbidden = false;
    if (isOver || !m_editor.edit()) {
        // What has a fault by now was never taken.
        m_editor.setRequest({});
        touched();
        emit changed();
        return;
    }
    m_phase = Phase::Checking;
    post();
}

void SettingsDesk::takeReport()
{
    SaveReport report;
    if (m_write.error())
        report.error = m_write.error();
    else
        report = *m_write.value();
    if (!report.error && !report.isConflict) {
        takeWritten(report);
    } else if (report.isConflict) {
        takeRows(report);
        m_editor.setRequest({});
        m_editor.dropMerge();
        m_phase = Phase::Merging;
        m_notice = QStringLiteral("Not saved: somebody else was quicker. Choose what shall stand.");
        read();
    } else {
        takeFailure(report);
    }
    m_isDirty = true;
    keepDraft();
    emit changed();
}

void SettingsDesk::takeRows(const SaveReport& report)
{
    Decisions base = m_editor.draft().base;
    if (report.settings) base.settings = *report.settings;
    for (const RouteSettings& written : report.routes) {
        for (RouteSettings& row : base.routes) {
            if (row.model == written.model && row.provider == written.provider) row = written;
        }
    }
    m_editor.rebase(base);
}

void SettingsDesk::takeFailure(const SaveReport& report)
{
    if (m_phase == Phase::Writing && report.isUnknown) {
        m_phase = Phase::Checking;
        post();
        return;
    }
    const QString why = plain(report.error->text());
    if (m_phase == Phase::Checking) {
        m_phase = Phase::Unknown;
        m_notice = QStringLiteral("Not known yet whether it was saved: ") + why +
                   QStringLiteral(". Checking does the same save once more, which the store takes "
                                  "only once.");
        return;
    }
    takeRows(report);
    m_editor.setRequest({});
    m_phase = Phase::NotWritten;
    m_isForbidden = report.error->code == "forbidden";
    m_notice = QStringLiteral("Not saved. ") + (m_isForbidden ? lock() : why);
    ask();
}

void SettingsDesk::takeWritten(const SaveReport& report)
{
    QStringList what;
    m_written = report.settings;
    if (report.settings) what << QStringLiteral("settings v%1").arg(report.settings->version);
    for (const RouteSettings& row : report.routes) {
        what << QStringLiteral("route ") + plain(row.model) + QChar('/') + plain(row.provider) +
                    QStringLiteral(" v%1").arg(row.version);
    }
    m_notice = report.wasRepeated ? QStringLiteral("It had been saved already: ")
                                  : QStringLiteral("Saved: ");
    m_notice += what.join(QStringLiteral(", ")) + QChar('.');
    if (report.wasRepeated) m_notice += QStringLiteral(" Nothing was written twice.");
    if (!report.routes.empty()) {
        m_notice += QStringLiteral(" Every agent goes by a route's settings within 5 s.");
    }
    takeRows(report);
    m_editor.clear(Decisions{m_editor.draft().base});
    m_phase = Phase::Written;
    m_preview.drop();
    read();
}

void SettingsDesk::merge()
{
    if (!isEditable() || news().isEmpty()) return;
    m_phase = Phase::Merging;
    m_notice.clear();
    m_editor.startMerge(newest());
    emit changed();
}

void SettingsDesk::choose(const std::string& key, MergeRow::Choice choice)
{
    m_editor.choose(key, choice);
    emit changed();
}

void SettingsDesk::finishMerge()
{
    if (!whyNoMerge().isEmpty()) return;
    m_editor.finishMerge(newest());
    touched();
    ask();
}

Status<> SettingsDesk::revert(const AuditEntry& entry)
{
    if (!isEditable()) return fail("no_revert", "settings", whyNot().toStdString());
    const auto values = revertOf(entry);
    if (!values) return tl::unexpected(values.error());
    for (const reports::Value& each : *values) {
        if (!m_editor.knows(each.key)) {
            return fail("no_revert", each.key, "There is no such setting any more.");
        }
    }
    for (const reports::Value& each : *values)
        m_editor.set(each.key, each.value);
    touched();
    ask();
    if (!m_editor.edit()) return fail("no_revert", "settings", "It stands so already.");
    setReason(QStringLiteral("Revert of v%1: ").arg(entry.version) + plain(entry.reason));
    return {};
}

} // namespace weir::model
