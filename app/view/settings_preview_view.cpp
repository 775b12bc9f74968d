// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/settings_preview_view.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using State = model::SettingsPreview::State;

void clear(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

/// A finding with its sign.
class FindingRow final : public QWidget
{
public:
    FindingRow(const Theme& theme, const model::PreviewFinding& finding, QWidget* parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_tone(finding.tone)
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(26, 2, 0, 2);
        QLabel* words = makeParagraph(uiFont(), theme.text, this);
        words->setText(finding.text);
        layout->addWidget(words);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool isBar = m_tone == model::Tone::Critical;
        const auto glyph = isBar                            ? model::Glyph::Cross
                           : m_tone == model::Tone::Warning ? model::Glyph::Warning
                                                            : model::Glyph::Circle;
        paintState(painter, QRectF(2, 3, 22, 18), m_theme, glyph, m_tone, QString());
    }

private:
    const Theme& m_theme;
    model::Tone m_tone;
};

} // namespace

SettingsPreviewView::SettingsPreviewView(
    const Theme& theme, model::SettingsDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_grid(model::SettingsPreview::columns())
    , m_headline(new Line(uiFont(13.0, QFont::Medium), theme.text, this))
    , m_bar(new QWidget(this))
    , m_words(makeParagraph(uiFont(), theme.muted, this))
    , m_retry(new QPushButton(QStringLiteral("Try again"), this))
    , m_figures(new QGridLayout)
    , m_findings(new QVBoxLayout)
    , m_table(new GridView(theme, m_grid, QStringLiteral("First choices now and then"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.muted, this);
    title->setText(QStringLiteral("Preview: the last 24 h decided again, in adaptive mode"));
    m_bar->setFixedHeight(4);
    m_retry->setAutoDefault(false);
    m_retry->setAccessibleName(QStringLiteral("Try the preview again"));
    m_figures->setHorizontalSpacing(14);
    m_figures->setVerticalSpacing(5);
    m_figures->setColumnStretch(1, 1);
    m_findings->setSpacing(2);
    m_table->fitRows(1, 6);
    layout->addWidget(title);
    layout->addWidget(m_headline);
    layout->addWidget(m_bar);
    layout->addWidget(m_words);
    layout->addWidget(m_retry, 0, Qt::AlignLeft);
    layout->addLayout(m_figures);
    layout->addLayout(m_findings);
    layout->addWidget(m_table);
    layout->addStretch(1);
    connect(m_retry, &QPushButton::clicked, &desk, &model::SettingsDesk::retryPreview);
}

void SettingsPreviewView::showFigures()
{
    auto figures = m_desk.preview().figures();
    if (figures == m_shownFigures) return;
    m_shownFigures = std::move(figures);
    clear(*m_figures);
    int row = 0;
    for (const auto& [name, text] : m_shownFigures) {
        auto* label = new Line(uiFont(), m_theme.muted, this);
        label->setText(name);
        auto* value = new Line(uiFont(10.0, QFont::Medium), m_theme.text, this);
        value->setText(text);
        m_figures->addWidget(label, row, 0);
        m_figures->addWidget(value, row++, 1);
    }
}

void SettingsPreviewView::showFindings()
{
    auto findings = m_desk.preview().findings();
    if (findings == m_shownFindings) return;
    m_shownFindings = std::move(findings);
    clear(*m_findings);
    for (const model::PreviewFinding& finding : m_shownFindings)
        m_findings->addWidget(new FindingRow(m_theme, finding, this));
}

void SettingsPreviewView::refresh()
{
    const model::SettingsPreview& preview = m_desk.preview();
    const State state = preview.state();
    const bool isNothing = state == State::Nothing;
    QString words;
    if (isNothing && m_desk.isRead()) {
        words = QStringLiteral("Change a value, and see what it would have done to the last 24 "
                               "hours of traffic before it is saved.");
    } else if (state == State::Failed && preview.error()) {
        words = QStringLiteral("Could not be computed: ") + model::plain(preview.error()->text());
    } else if (state == State::Done && preview.replayed().decisions == 0) {
        words = QStringLiteral("There is nothing to decide again, so this shows no effect.");
    }
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty());
    m_headline->setText(isNothing ? QString() : preview.headline());
    m_headline->setVisible(!isNothing);
    m_retry->setVisible(state == State::Failed);
    m_grid.apply(preview.rows());
    m_table->setVisible(m_grid.rowCount() > 0);
    m_table->setDimmed(state == State::Running);
    m_table->updateGeometry();
    showFigures();
    showFindings();
    update();
}

void SettingsPreviewView::paintEvent(QPaintEvent*)
{
    if (m_desk.preview().state() != State::Running) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QRectF bar = m_bar->geometry();
    painter.setBrush(m_theme.skeleton);
    painter.drawRoundedRect(bar, 2, 2);
    bar.setWidth(bar.width() * m_desk.preview().progress());
    painter.setBrush(m_theme.accent);
    painter.drawRoundedRect(bar, 2, 2);
}

} // namespace weir::view
