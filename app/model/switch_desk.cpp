// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/switch_desk.h"

#include "app/model/format.h"

#include <QUuid>

#include <algorithm>

namespace weir::model {
namespace {

constexpr Duration kDraftKept = std::chrono::minutes{10};
/// A click in flight must not hit a meaning that has just changed.
constexpr Duration kHold = std::chrono::seconds{1};

QString wordOf(Mode mode)
{
    switch (mode) {
    case Mode::Adaptive:
        return QStringLiteral("ON");
    case Mode::Shadow:
        return QStringLiteral("to SHADOW");
    case Mode::Fixed:
        return QStringLiteral("OFF");
    }
    return {};
}

/// "jon turned it OFF 4 s ago (v42, “429 storm”)".
QString whoTurned(const RoutingSwitch& row, UtcTime now)
{
    const QString by = plain(row.updatedBy);
    return (by.isEmpty() ? QStringLiteral("Somebody") : by) + QStringLiteral(" turned it ") +
           wordOf(row.mode) + QChar(' ') + age(now - row.updatedAt) +
           QStringLiteral(" ago (v%1, “").arg(row.version) + plain(row.reason) +
           QStringLiteral("”)");
}

} // namespace

SwitchDesk::SwitchDesk(Operator who, Clock clock, QObject* parent)
    : QObject(parent)
    , m_who(std::move(who))
    , m_clock(std::move(clock))
{
}

void SwitchDesk::open(Mode target)
{
    m_isOpen = true;
    const bool isUnderWay = m_phase == Phase::Writing || m_phase == Phase::Checking;
    const auto current = progress();
    const bool isFollowed =
        m_phase == Phase::Progress && current && !current->isComplete && m_target == target;
    if (isUnderWay || isFollowed) {
        emit changed();
        return;
    }
    m_requestUuid.clear();
    const bool isKept = m_target == target && m_closedAt && m_clock() - *m_closedAt < kDraftKept;
    if (!isKept) m_draft = {};
    m_target = target;
    m_phase = Phase::Editing;
    m_notice.clear();
    m_isConflict = false;
    m_heldUntil.reset();
    m_base = m_facts.row;
    emit changed();
}

void SwitchDesk::close()
{
    m_isOpen = false;
    m_closedAt = m_clock();
}

void SwitchDesk::edit(const SwitchDraft& draft)
{
    if (draft == m_draft) return;
    m_draft = draft;
    emit changed();
}

void SwitchDesk::edit()
{
    if (m_phase != Phase::NotWritten) return;
    m_phase = Phase::Editing;
    m_notice.clear();
    emit changed();
}

void SwitchDesk::commit()
{
    if (!canCommit()) return;
    // A retry of a wish that may have been written keeps its uuid: writing it twice is one write.
    if (m_requestUuid.empty()) {
        m_requestUuid = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    }
    QString reason = m_draft.reason();
    if (needsOverride()) {
        QStringList failed;
        for (const PreflightItem& item : checks()) {
            if (item.verdict == PreflightItem::Verdict::Failed) failed << item.text;
        }
        reason += QStringLiteral(" [override: ") + failed.join(QStringLiteral("; ")) + QChar(']');
    }
    SwitchChange change;
    change.target = m_target;
    change.expectedVersion = m_base ? m_base->version : 0;
    change.reason = reason.toStdString();
    change.by = m_who.name.toStdString();
    change.host = m_who.host.toStdString();
    change.requestUuid = m_requestUuid;
    m_phase = Phase::Writing;
    m_notice.clear();
    m_isConflict = false;
    emit changed();
    emit changeRequested(change);
}

void SwitchDesk::settle(const SwitchOutcome& outcome)
{
    if (outcome.requestUuid != m_requestUuid) return;
    switch (outcome.kind) {
    case SwitchOutcome::Kind::Written: {
        m_draft = {};
        follow(outcome.row);
        break;
    }
    case SwitchOutcome::Kind::Conflict: {
        m_requestUuid.clear();
        m_phase = Phase::Editing;
        meetRow(outcome.row);
        break;
    }
    case SwitchOutcome::Kind::NotWritten:
        m_phase = Phase::NotWritten;
        m_notice = QStringLiteral("Not written. ") + QString::fromStdString(outcome.detail);
        break;
    case SwitchOutcome::Kind::Unknown:
        m_phase = Phase::Checking;
        m_notice =
            QStringLiteral("Outcome unknown, checking. ") + QString::fromStdString(outcome.detail);
        break;
    }
    emit changed();
}

void SwitchDesk::follow(const RoutingSwitch& row)
{
    m_written = row;
    m_base = row;
    m_phase = Phase::Progress;
    m_requestUuid.clear();
}

void SwitchDesk::meetRow(const RoutingSwitch& row)
{
    const UtcTime now = m_clock();
    m_base = row;
    if (row.mode == m_target) {
        m_notice = whoTurned(row, now) + QStringLiteral(". Nothing more to write.");
        follow(row);
    } else {
        m_isConflict = true;
        m_notice = whoTurned(row, now) +
                   QStringLiteral(". Nothing was written. Review it and confirm again.");
        m_heldUntil = now + std::chrono::duration_cast<std::chrono::milliseconds>(kHold);
    }
    emit meaningChanged();
}

void SwitchDesk::showRow(const RoutingSwitch& row)
{
    m_facts.row = row;
    if (m_phase == Phase::Progress) {
        if (m_written && row.version > m_written->version) {
            if (row.mode != m_written->mode) m_notice = whoTurned(row, m_clock());
            follow(row);
        }
        emit changed();
        return;
    }
    const bool isNews = !m_base || row.version != m_base->version;
    const bool isDrafting = m_phase == Phase::Editing || m_phase == Phase::NotWritten;
    if (isDrafting && isNews) {
        // Without a row before there was no meaning that could have changed.
        if (m_isOpen && m_base) {
            m_phase = Phase::Editing;
            meetRow(row);
        } else {
            m_base = row;
        }
    }
    emit changed();
}

void SwitchDesk::showFacts(const SwitchFacts& facts)
{
    m_facts = facts;
    emit changed();
}

std::vector<PreflightItem> SwitchDesk::checks() const
{
    if (m_target != Mode::Adaptive || m_facts.fleet == nullptr) return {};
    return preflight(m_facts, m_clock());
}

bool SwitchDesk::needsOverride() const
{
    const auto isFailed = [](const PreflightItem& item) {
        return item.verdict == PreflightItem::Verdict::Failed;
    };
    return std::ranges::any_of(checks(), isFailed);
}

QString SwitchDesk::whyNot() const
{
    if (m_who.isReadOnly) return QStringLiteral("This console was started read-only.");
    if (m_phase == Phase::Writing) return QStringLiteral("Writing…");
    if (m_phase == Phase::Checking) return QStringLiteral("Checking whether it was written…");
    if (m_phase == Phase::Progress) return QStringLiteral("Already written.");
    if (!m_base) return QStringLiteral("The switch has not been read from the store yet.");
    if (m_heldUntil && m_clock() < *m_heldUntil) {
        return QStringLiteral("The switch has just been changed: read what happened first.");
    }
    if (!m_draft.hasReason()) {
        return QStringLiteral("Choose a reason, or write one of 10 characters or more.");
    }
    if (m_target != Mode::Adaptive) return {};
    if (!m_facts.isStoreReadable) {
        return QStringLiteral("The store is not readable: routing cannot be turned on.");
    }
    if (m_draft.typedName.trimmed() != m_who.profile) {
        return QStringLiteral("Type the environment's name, ") + m_who.profile + QChar('.');
    }
    if (needsOverride() && m_draft.typedOverride.trimmed() != QLatin1String(kOverrideWord)) {
        return QStringLiteral("A check failed: type “override” to go on, which is recorded.");
    }
    return {};
}

std::optional<SwitchProgress> SwitchDesk::progress() const
{
    if (!m_written || m_facts.fleet == nullptr) return std::nullopt;
    return switchProgress(*m_written, *m_facts.fleet, m_clock());
}

} // namespace weir::model
