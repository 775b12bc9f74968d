// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/change.h"
#include "app/model/console.h"
#include "app/model/switch_draft.h"

#include <QObject>
#include <QStringList>

#include <string>

namespace weir::model {

/// Something that one person does to the fleet after one look at a dialog: what will happen, a
/// reason, one write. A retry keeps its name, so that it is written once however often it is sent.
class Deed : public QObject
{
    Q_OBJECT

public:
    enum class Phase {
        Editing,
        Writing,
        NotWritten, ///< `notice()` says why; what was typed is kept
        Done,
    };

    explicit Deed(Console& console, QObject* parent = nullptr);

    [[nodiscard]] virtual QString title() const = 0;
    /// What the button says that does it.
    [[nodiscard]] virtual QString button() const = 0;
    /// Short reasons to choose from.
    [[nodiscard]] virtual QStringList chips() const = 0;
    /// What will happen, a paragraph each; once it is done, what did.
    [[nodiscard]] virtual QStringList effects() const = 0;

    /// What will bite.
    [[nodiscard]] virtual QStringList warnings() const { return {}; }

    /// It may be done against a warning, by typing the override's word.
    [[nodiscard]] virtual bool needsOverride() const { return false; }

    /// Called each second while the dialog stands open: reads what grew old.
    virtual void refresh() {}

    [[nodiscard]] Phase phase() const { return m_phase; }

    [[nodiscard]] QString notice() const { return m_notice; }

    [[nodiscard]] const SwitchDraft& draft() const { return m_draft; }

    void edit(const SwitchDraft& draft);

    /// Why the button is disabled; empty where it is not.
    [[nodiscard]] QString whyNot() const;

    /// Writes, unless `whyNot()` says anything.
    void commit();

signals:
    void changed();

protected:
    /// What speaks against it besides a missing reason; empty where nothing does.
    [[nodiscard]] virtual QString objection() const { return {}; }

    /// A write was sent, and whether it was done is not known: only the same one again tells.
    [[nodiscard]] bool isUnconfirmed() const
    {
        return m_phase == Phase::NotWritten && !m_uuid.empty();
    }

    /// Sends the write; `written`, `refused` or `met` is called with what became of it.
    virtual void write(const store::Authorship& by) = 0;

    void written();
    void refused(const Error& error);
    /// Somebody else was faster: nothing was written, and what he did must be read first.
    void met(const QString& what);

    [[nodiscard]] Console& console() const { return m_console; }

private:
    Console& m_console;
    SwitchDraft m_draft;
    Phase m_phase = Phase::Editing;
    QString m_notice;
    std::string m_uuid;
};

/// "The route m/a is switched off." of "the route m/a is switched off".
[[nodiscard]] QString sentence(std::string_view text);

} // namespace weir::model
