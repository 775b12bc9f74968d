// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/settings_page.h"

#include "app/model/format.h"
#include "app/view/message_bar.h"
#include "app/view/pieces.h"
#include "app/view/switch_progress_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;
using Phase = model::SettingsDesk::Phase;

constexpr int kEditor = 0;
constexpr int kMerge = 1;
constexpr int kAudit = 2;
constexpr int kPreviewWidth = 430;
constexpr model::Ms kAround = 30 * 60 * 1000;
const QString kAuditKey = QStringLiteral("audit");

QPushButton* makeTab(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* tab = new QPushButton(text, parent);
    tab->setCheckable(true);
    tab->setAutoDefault(false);
    tab->setAccessibleName(text);
    tab->setStyleSheet(
        QStringLiteral("QPushButton{border:0;border-bottom:2px solid transparent;"
                       "padding:5px 10px;color:%1;background:transparent}"
                       "QPushButton:checked{color:%2;border-color:%3}"
                       "QPushButton:focus{background:%4}")
            .arg(theme.muted.name(), theme.text.name(), theme.accent.name(), theme.hover.name()));
    return tab;
}

} // namespace

SettingsPage::SettingsPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_desk(console)
    , m_trouble(new MessageBar(theme, this))
    , m_news(new MessageBar(theme, this))
    , m_notice(new MessageBar(theme, this))
    , m_formTab(makeTab(theme, QStringLiteral("Settings"), this))
    , m_auditTab(makeTab(theme, QStringLiteral("Audit"), this))
    , m_version(new Line(uiFont(9.5), theme.muted, this))
    , m_stack(new QStackedWidget(this))
    , m_form(nullptr)
    , m_preview(nullptr)
    , m_progress(nullptr)
    , m_merge(nullptr)
    , m_audit(nullptr)
    , m_reason(new QPlainTextEdit(this))
    , m_save(new QPushButton(QStringLiteral("Save settings   Ctrl+Return"), this))
    , m_discard(new QPushButton(QStringLiteral("Discard"), this))
    , m_whyNot(makeParagraph(uiFont(9.5), theme.muted, this))
{
    auto* tabs = new QHBoxLayout;
    tabs->setSpacing(4);
    tabs->addWidget(m_formTab);
    tabs->addWidget(m_auditTab);
    tabs->addSpacing(12);
    tabs->addWidget(m_version, 1);
    m_stack->addWidget(makeEditor());
    auto* merge = new Card(theme, this);
    m_merge = new SettingsMergeView(theme, m_desk, merge);
    (new QVBoxLayout(merge))->addWidget(m_merge);
    m_stack->addWidget(merge);
    auto* audit = new Card(theme, this);
    m_audit = new SettingsAuditView(theme, m_desk, audit);
    (new QVBoxLayout(audit))->addWidget(m_audit);
    m_stack->addWidget(audit);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 14);
    layout->setSpacing(10);
    layout->addLayout(tabs);
    layout->addWidget(m_trouble);
    layout->addWidget(m_news);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);

    connect(m_formTab, &QPushButton::clicked, this, [this] { showTab(kEditor); });
    connect(m_auditTab, &QPushButton::clicked, this, [this] { showTab(kAudit); });
    connect(m_trouble, &MessageBar::actionWanted, &m_desk, &model::SettingsDesk::read);
    connect(m_news, &MessageBar::actionWanted, &m_desk, &model::SettingsDesk::merge);
    connect(m_notice, &MessageBar::actionWanted, &m_desk, &model::SettingsDesk::goOn);
    connect(&m_desk, &model::SettingsDesk::changed, this, &SettingsPage::showAll);
    connect(m_audit, &SettingsAuditView::reverted, this, [this] { showTab(kEditor); });
    connect(m_audit, &SettingsAuditView::momentWanted, this, [this](UtcTime at) {
        const model::Ms time = epochMs(at);
        m_console.go(
            {model::Place::Page::Live, QString(), model::Span{time - kAround, time + kAround}});
    });
    auto* commit = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
    commit->setContext(Qt::WidgetWithChildrenShortcut);
    connect(commit, &QShortcut::activated, &m_desk, &model::SettingsDesk::save);
    showTab(kEditor);
}

QWidget* SettingsPage::makeEditor()
{
    auto* editor = new QWidget(this);
    auto* left = new Card(m_theme, editor);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(4, 6, 4, 8);
    leftLayout->setSpacing(6);
    m_form = new SettingsForm(m_theme, m_desk, left);
    leftLayout->addWidget(m_form, 1);
    leftLayout->addWidget(makeFoot());

    auto* right = new Card(m_theme, editor);
    right->setFixedWidth(kPreviewWidth);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(14, 12, 14, 12);
    m_progress = new SwitchProgressView(m_theme, right);
    m_preview = new SettingsPreviewView(m_theme, m_desk, right);
    rightLayout->addWidget(m_progress);
    rightLayout->addWidget(m_preview, 1);

    auto* layout = new QHBoxLayout(editor);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(left, 1);
    layout->addWidget(right);
    return editor;
}

QWidget* SettingsPage::makeFoot()
{
    auto* foot = new QWidget(this);
    auto* layout = new QVBoxLayout(foot);
    layout->setContentsMargins(12, 4, 12, 2);
    layout->setSpacing(6);
    m_reason->setFixedHeight(44);
    m_reason->setTabChangesFocus(true);
    m_reason->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_reason->setAccessibleName(QStringLiteral("Reason, for the audit"));
    m_reason->setPlaceholderText(QStringLiteral("Reason, for the audit: 10 characters or more"));
    connect(m_reason, &QPlainTextEdit::textChanged, this, [this] {
        m_desk.setReason(m_reason->toPlainText());
    });
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_save);
    buttons->addWidget(m_discard);
    buttons->addWidget(m_whyNot, 1);
    m_save->setAutoDefault(false);
    m_discard->setAutoDefault(false);
    m_save->setAccessibleName(QStringLiteral("Save settings"));
    m_discard->setAccessibleName(QStringLiteral("Discard the draft"));
    connect(m_save, &QPushButton::clicked, &m_desk, &model::SettingsDesk::save);
    connect(m_discard, &QPushButton::clicked, &m_desk, &model::SettingsDesk::discard);
    layout->addWidget(m_reason);
    layout->addLayout(buttons);
    return foot;
}

void SettingsPage::showTab(int tab)
{
    m_formTab->setChecked(tab != kAudit);
    m_auditTab->setChecked(tab == kAudit);
    showAll();
}

void SettingsPage::refresh()
{
    m_desk.tick();
    showAll();
}

void SettingsPage::showAll()
{
    const bool isMerging = m_desk.phase() == Phase::Merging;
    m_stack->setCurrentIndex(m_auditTab->isChecked() ? kAudit : isMerging ? kMerge : kEditor);
    const RoutingSettings& settings = m_desk.newest().settings;
    m_version->setText(
        m_desk.isRead()
            ? QStringLiteral("v%1, saved by ").arg(settings.version) +
                  model::plain(settings.updatedBy) + QChar(' ') +
                  model::age(m_console.now() - settings.updatedAt) + QStringLiteral(" ago: “") +
                  model::plain(settings.reason) + QStringLiteral("”")
            : QString());
    showMessages();
    showFoot();
    m_form->widget()->setVisible(m_desk.isRead());
    if (m_desk.isRead()) m_form->refresh(m_console.now(), m_console.status());
    m_preview->refresh();
    m_merge->refresh();
    m_audit->refresh();
    const auto progress = m_desk.progress();
    m_progress->setVisible(progress.has_value());
    if (progress) m_progress->show(*progress);
}

void SettingsPage::showMessages()
{
    const model::PanelState panel = m_desk.panel();
    m_trouble->setVisible(panel.kind == Kind::Error);
    if (panel.kind == Kind::Error) {
        m_trouble->show(
            model::Glyph::Cross, model::Tone::Critical, panel.text, QStringLiteral("Retry"));
    }
    const QString news = m_desk.news();
    const bool isNews = !news.isEmpty() && m_desk.isEditable();
    m_news->setVisible(isNews);
    if (isNews) {
        m_news->show(model::Glyph::Warning, model::Tone::Warning, news, QStringLiteral("Compare"));
    }
    const QString lock = m_desk.lock();
    const QString notice = m_desk.notice().isEmpty() ? lock : m_desk.notice();
    const Phase phase = m_desk.phase();
    QString action;
    model::Glyph glyph = model::Glyph::Warning;
    model::Tone tone = model::Tone::Warning;
    if (phase == Phase::Unknown) action = QStringLiteral("Check");
    if (phase == Phase::NotWritten) {
        action = QStringLiteral("Go on editing");
        glyph = model::Glyph::Cross;
        tone = model::Tone::Critical;
    }
    if (phase == Phase::Written) {
        glyph = model::Glyph::Check;
        tone = model::Tone::Ok;
    }
    m_notice->setVisible(!notice.isEmpty());
    if (!notice.isEmpty()) m_notice->show(glyph, tone, notice, action);
}

void SettingsPage::showFoot()
{
    const QString reason = m_desk.editor().draft().reason;
    if (m_reason->toPlainText() != reason) m_reason->setPlainText(reason);
    m_reason->setReadOnly(!m_desk.isEditable());
    const QString whyNot = m_desk.whyNot();
    m_save->setEnabled(whyNot.isEmpty());
    m_whyNot->setText(whyNot);
    m_discard->setEnabled(m_desk.isEditable() && !m_desk.editor().draft().edits.empty());
}

void SettingsPage::hideEvent(QHideEvent* event)
{
    // Nobody ticks a page that is not in front: the draft is kept now.
    m_desk.tick();
    Page::hideEvent(event);
}

void SettingsPage::enter(const model::Place& place)
{
    // "audit", or "audit/41" for one entry.
    if (place.key.section(QChar('/'), 0, 0) == kAuditKey) {
        m_audit->choose(place.key.section(QChar('/'), 1));
        showTab(kAudit);
    }
    m_desk.read();
}

QWidget* SettingsPage::filterField() const
{
    return m_auditTab->isChecked() ? m_audit->filterField() : nullptr;
}

bool SettingsPage::goBack()
{
    if (!m_auditTab->isChecked()) return false;
    showTab(kEditor);
    m_formTab->setFocus(Qt::OtherFocusReason);
    return true;
}

model::Place SettingsPage::place() const
{
    const QString key = m_auditTab->isChecked() ? kAuditKey : QString();
    return {model::Place::Page::Settings, key, std::nullopt};
}

std::vector<QWidget*> SettingsPage::panes() const
{
    if (m_auditTab->isChecked()) return {m_auditTab, m_audit->filterField(), m_audit->table()};
    if (m_desk.phase() == Phase::Merging && m_merge->first() != nullptr) {
        return {m_formTab, m_merge->first()};
    }
    return {m_formTab, m_form->editor("objective"), m_reason};
}

} // namespace weir::view
