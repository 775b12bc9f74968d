// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/deed.h"

#include "app/model/format.h"

#include <QUuid>

#include <algorithm>

namespace weir::model {

Deed::Deed(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
{
    // What is said of it follows the live figures.
    connect(&console, &Console::changed, this, &Deed::changed);
}

void Deed::edit(const SwitchDraft& draft)
{
    if (draft == m_draft) return;
    m_draft = draft;
    emit changed();
}

QString Deed::whyNot() const
{
    if (m_console.desk().who().isReadOnly) {
        return QStringLiteral("This console was started read-only.");
    }
    if (m_phase == Phase::Writing) return QStringLiteral("Writing…");
    if (m_phase == Phase::Done) return QStringLiteral("Already written.");
    if (m_console.archive() == nullptr) {
        return QStringLiteral("There is no store: start the console with --store.");
    }
    if (const QString what = objection(); !what.isEmpty()) return what;
    if (needsOverride() && m_draft.typedOverride.trimmed() != QLatin1String(kOverrideWord)) {
        return QStringLiteral("Type “override” to go on against the warning; it is recorded.");
    }
    if (!m_draft.hasReason()) {
        return QStringLiteral("Choose a reason, or write one of 10 characters or more.");
    }
    return {};
}

void Deed::commit()
{
    if (!whyNot().isEmpty()) return;
    if (m_uuid.empty()) m_uuid = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    const Operator& who = m_console.desk().who();
    QString reason = m_draft.reason();
    if (needsOverride()) {
        reason +=
            QStringLiteral(" [override: ") + warnings().join(QStringLiteral("; ")) + QChar(']');
    }
    m_phase = Phase::Writing;
    m_notice.clear();
    emit changed();
    write(
        {who.name.toStdString(),
         who.host.toStdString(),
         reason.toStdString(),
         m_uuid,
         m_console.now()});
}

void Deed::written()
{
    m_phase = Phase::Done;
    m_notice.clear();
    emit changed();
}

void Deed::refused(const Error& error)
{
    m_phase = Phase::NotWritten;
    const bool isOpen = error.code == "unreachable" || error.code == "busy";
    // Whether it was done is not known here: the same name again writes it once.
    if (!isOpen) m_uuid.clear();
    m_notice = (isOpen ? QStringLiteral("Not confirmed. ") : QStringLiteral("Not written. ")) +
               plain(error.text());
    if (isOpen) m_notice += QStringLiteral(". Retry is safe: it is written once.");
    emit changed();
}

void Deed::met(const QString& what)
{
    m_uuid.clear();
    m_phase = Phase::NotWritten;
    m_notice = what;
    emit changed();
}

QString sentence(std::string_view text)
{
    QString words = plain(text);
    if (words.isEmpty()) return words;
    // The name of a route stays as it is.
    const auto isLetter = [](QChar c) { return c.isLower(); };
    const QString first = words.section(QChar(' '), 0, 0);
    if (std::ranges::all_of(first, isLetter)) words[0] = words[0].toUpper();
    return words.endsWith(QChar('.')) ? words : words + QChar('.');
}

} // namespace weir::model
