// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/settings_audit_view.h"

#include "app/model/format.h"
#include "app/view/pieces.h"
#include "app/view/save_file.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {

SettingsAuditView::SettingsAuditView(const Theme& theme, model::SettingsDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_grid(model::auditColumns())
    , m_filter(new QLineEdit(this))
    , m_table(new GridView(theme, m_grid, QStringLiteral("Audit of settings"), this))
    , m_detail(makeParagraph(uiFont(), theme.text, this))
    , m_whyNot(makeParagraph(uiFont(), theme.muted, this))
    , m_revert(new QPushButton(QStringLiteral("Revert…"), this))
    , m_moment(new QPushButton(QStringLiteral("Show on the charts"), this))
    , m_csv(new QPushButton(QStringLiteral("Save as CSV…"), this))
{
    m_filter->setAccessibleName(QStringLiteral("Filter the audit"));
    m_filter->setPlaceholderText(QStringLiteral("Filter: who, what, why, v42"));
    m_filter->setClearButtonEnabled(true);
    auto* top = new QHBoxLayout;
    top->addWidget(m_filter, 1);
    top->addWidget(m_csv);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_revert);
    bottom->addWidget(m_moment);
    bottom->addWidget(m_whyNot, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_detail);
    layout->addLayout(bottom);
    for (QPushButton* button : {m_revert, m_moment, m_csv}) {
        button->setAutoDefault(false);
        button->setAccessibleName(button->text());
    }
    connect(m_filter, &QLineEdit::textChanged, this, &SettingsAuditView::refresh);
    connect(m_table, &GridView::chosenChanged, this, &SettingsAuditView::refresh);
    connect(m_table, &GridView::opened, this, &SettingsAuditView::revertChosen);
    connect(m_revert, &QPushButton::clicked, this, &SettingsAuditView::revertChosen);
    connect(m_csv, &QPushButton::clicked, this, &SettingsAuditView::saveCsv);
    connect(m_moment, &QPushButton::clicked, this, [this] {
        if (const AuditEntry* entry = chosen()) emit momentWanted(entry->at);
    });
}

const AuditEntry* SettingsAuditView::chosen() const
{
    const std::int64_t id = m_table->chosen().toLongLong();
    for (const AuditEntry& entry : m_desk.audit()) {
        if (entry.id == id) return &entry;
    }
    return nullptr;
}

void SettingsAuditView::refresh()
{
    m_grid.apply(model::auditRows(m_desk.audit(), m_filter->text()));
    if (m_grid.rowOf(m_wanted) >= 0) {
        m_table->choose(m_wanted);
        m_wanted.clear();
    }
    QString nothing;
    if (m_desk.panel().kind == model::PanelState::Kind::Error) {
        nothing = m_desk.panel().text;
    } else if (!m_desk.audit().empty()) {
        nothing =
            QStringLiteral("No change matches; the filter hides %1.").arg(m_desk.audit().size());
    } else if (m_desk.isRead()) {
        nothing = QStringLiteral("Nobody has changed anything yet.");
    }
    m_table->setNothingText(nothing);
    const AuditEntry* entry = chosen();
    QString why = QStringLiteral("Choose a change.");
    QString detail;
    if (entry != nullptr) {
        const auto values = model::revertOf(*entry);
        why = values ? m_desk.lock() : QString::fromStdString(values.error().detail);
        for (const reports::Change& change : model::changesOf(*entry)) {
            detail += model::plain(change.key) + QStringLiteral(":  ") +
                      (change.before.empty() ? model::unknown() : model::plain(change.before)) +
                      QStringLiteral(" → ") + model::plain(change.after) + QChar('\n');
        }
        detail += QStringLiteral("“") + model::plain(entry->reason) + QStringLiteral("”");
    }
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    m_revert->setEnabled(why.isEmpty());
    m_moment->setEnabled(entry != nullptr);
    m_csv->setEnabled(m_grid.rowCount() > 0);
    m_whyNot->setText(
        why.isEmpty() ? QStringLiteral("A revert is a new version: it is shown in the form first.")
                      : why);
}

void SettingsAuditView::revertChosen()
{
    const AuditEntry* entry = chosen();
    if (entry == nullptr) return;
    const Status<> done = m_desk.revert(AuditEntry{*entry});
    if (done)
        emit reverted();
    else
        m_whyNot->setText(model::plain(done.error().detail));
}

void SettingsAuditView::saveCsv()
{
    askWhere(
        this,
        QStringLiteral("Save the audit"),
        QStringLiteral("settings-audit.csv"),
        [this](const QString& path) {
            const QString trouble = writeFile(path, csv().toUtf8());
            m_whyNot->setText(trouble.isEmpty() ? QStringLiteral("Saved as ") + path : trouble);
        });
}

} // namespace weir::view
