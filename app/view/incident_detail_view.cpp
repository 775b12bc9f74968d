// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/incident_detail_view.h"

#include "app/model/format.h"
#include "app/model/incident_export.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;
using model::Quantity;

struct Drawn
{
    const char* title;
    /// Of the picture's file.
    const char* name;
    Quantity quantity;
    bool isStacked;
    double factor;
    const char* unit;
    double top;
};

constexpr Drawn kDrawn[] = {
    {"Time to first token, p50", "ttft", Quantity::TtftP50S, false, 1.0, "s", 0.0},
    {"Failed attempts", "failures", Quantity::FailureShare, false, 100.0, "%", 0.0},
    {"Attempts answered 429", "rate-limited", Quantity::RateLimitedShare, false, 100.0, "%", 0.0},
    {"Traffic share", "share", Quantity::Share, true, 100.0, "%", 100.0},
};

constexpr QSize kPicture{860, 230};

ChartSpec specOf(const Drawn& drawn, bool isLabelled)
{
    ChartSpec spec;
    spec.title = QString::fromLatin1(drawn.title);
    spec.quantity = drawn.quantity;
    spec.isStacked = drawn.isStacked;
    spec.factor = drawn.factor;
    spec.unit = QString::fromLatin1(drawn.unit);
    spec.top = drawn.top;
    spec.isLabelled = isLabelled;
    return spec;
}

/// Leaves the keys of the crosshair alone: it scrolls up and down only.
class UprightScroll final : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const bool isSideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
        if (isSideways)
            event->ignore();
        else
            QScrollArea::keyPressEvent(event);
    }
};

Line* makeTitle(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.text, parent);
    title->setText(text);
    return title;
}

QPushButton* makeButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    return button;
}

} // namespace

IncidentDetailView::IncidentDetailView(
    const Theme& theme, model::IncidentDetail& detail, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_detail(detail)
    , m_message(new MessageBar(theme, this))
    , m_nothing(makeParagraph(uiFont(11.0), theme.muted, this))
    , m_body(new QWidget)
    , m_facts(new FactGrid(theme, m_body))
    , m_lanes(new LaneView(theme, m_body))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(makeHead());
    layout->addWidget(m_message);
    layout->addWidget(m_nothing);
    m_nothing->setAlignment(Qt::AlignCenter);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(10);
    body->addWidget(m_facts);
    body->addWidget(makeLanes());
    body->addWidget(makeCharts(), 2);
    body->addWidget(makeTables(), 3);
    auto* scroll = new UprightScroll(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    scroll->setWidget(m_body);
    layout->addWidget(scroll, 1);
    refresh();
}

QWidget* IncidentDetailView::makeHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    auto* back = makeButton(QStringLiteral("Back  Esc"), head);
    m_title = new Line(uiFont(15.0, QFont::Medium), m_theme.text, head);
    m_where = new Line(monoFont(9.0), m_theme.muted, head);
    m_state = new Chip(m_theme, 10.0, head);
    m_note = makeButton(QStringLiteral("Note  J"), head);
    auto* link = makeButton(QStringLiteral("Copy link"), head);
    m_export = makeButton(QStringLiteral("Export  X"), head);
    row->addWidget(back);
    row->addWidget(m_title);
    row->addWidget(m_where, 1);
    row->addWidget(m_state);
    for (QPushButton* button : {m_note, link, m_export})
        row->addWidget(button);
    connect(back, &QPushButton::clicked, this, &IncidentDetailView::backWanted);
    connect(m_note, &QPushButton::clicked, this, &IncidentDetailView::noteWanted);
    connect(link, &QPushButton::clicked, this, &IncidentDetailView::linkWanted);
    connect(m_export, &QPushButton::clicked, this, &IncidentDetailView::exportWanted);
    connect(m_message, &MessageBar::actionWanted, &m_detail, &model::IncidentDetail::ask);
    return head;
}

QWidget* IncidentDetailView::makeLanes()
{
    auto* card = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(14, 12, 6, 4);
    layout->addWidget(m_lanes);
    m_lanes->follow(m_detail.window());
    connect(m_lanes, &LaneView::opened, this, [this](const QString& incident) {
        if (incident != m_detail.id()) emit opened(QStringLiteral("incident/") + incident);
    });
    return card;
}

QWidget* IncidentDetailView::makeCharts()
{
    auto* group = new QWidget(m_body);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    for (const Drawn& drawn : kDrawn) {
        auto* card = new Card(m_theme, group);
        auto* layout = new QVBoxLayout(card);
        layout->setContentsMargins(12, 8, 4, 4);
        layout->setSpacing(2);
        layout->addWidget(makeTitle(m_theme, QString::fromLatin1(drawn.title), card));
        auto* chart = new TimeChart(m_theme, m_detail.chartFeed(), specOf(drawn, false), card);
        chart->setMinimumSize(150, 150);
        layout->addWidget(chart, 1);
        m_charts.push_back(chart);
        row->addWidget(card, 4);
    }
    auto* card = new Card(m_theme, group);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, 8, 8, 8);
    m_readout = new Readout(m_theme, m_detail.chartFeed(), card);
    layout->addWidget(m_readout);
    row->addWidget(card, 3);
    return group;
}

QWidget* IncidentDetailView::makeTables()
{
    auto* group = new QWidget(m_body);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(makeStory(), 1);
    row->addWidget(makeLog(), 1);
    for (GridView* table : {m_story, m_log}) {
        connect(table, &GridView::opened, this, &IncidentDetailView::opened);
        connect(table, &GridView::chosenChanged, &m_detail, &model::IncidentDetail::pointAt);
    }
    return group;
}

QWidget* IncidentDetailView::makeStory()
{
    auto* card = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 8, 4, 6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 0, 8, 0);
    head->addWidget(makeTitle(m_theme, QStringLiteral("Story"), card), 1);
    layout->addLayout(head);
    m_story = new GridView(m_theme, m_detail.story(), QStringLiteral("Story"), card);
    layout->addWidget(m_story);
    return card;
}

QWidget* IncidentDetailView::makeLog()
{
    auto* card = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 8, 4, 6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 0, 8, 0);
    head->addWidget(makeTitle(m_theme, QStringLiteral("Activity log"), card), 1);
    m_filter = new QLineEdit(card);
    m_filter->setPlaceholderText(QStringLiteral("Filter  /"));
    m_filter->setAccessibleName(QStringLiteral("Filter the activity log"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(180);
    head->addWidget(m_filter);
    layout->addLayout(head);
    m_log = new GridView(m_theme, m_detail.log(), QStringLiteral("Activity log"), card);
    layout->addWidget(m_log);
    connect(m_filter, &QLineEdit::textChanged, &m_detail, &model::IncidentDetail::setFilter);
    return card;
}

void IncidentDetailView::refreshHead()
{
    const model::IncidentCase* known = m_detail.known();
    m_state->setVisible(known != nullptr);
    m_export->setEnabled(known != nullptr);
    m_note->setEnabled(known != nullptr);
    const QString id = model::plain(m_detail.id().toStdString());
    m_title->setText(known != nullptr ? model::headline(known->incident) : id);
    m_where->setText(
        known != nullptr ? model::whereText(known->incident) + QStringLiteral("  ") + id
                         : QString());
    const model::Look state = m_detail.state();
    m_state->show(
        state.glyph,
        state.tone,
        state.word.section(QChar(' '), 0, 0),
        state.word.section(QChar(' '), 1).prepend(QChar(' ')));
}

void IncidentDetailView::refresh()
{
    refreshHead();
    const model::PanelState state = m_detail.panel();
    const bool isTrouble = state.kind == Kind::Error || state.kind == Kind::Stale;
    m_message->setVisible(isTrouble);
    if (isTrouble) {
        const bool isError = state.kind == Kind::Error;
        m_message->show(
            isError ? model::Glyph::Cross : model::Glyph::Warning,
            isError ? model::Tone::Critical : model::Tone::Warning,
            state.text,
            QStringLiteral("Retry"));
    }
    const bool isNowhere = state.kind == Kind::Empty;
    m_nothing->setVisible(isNowhere);
    m_nothing->setText(isNowhere ? state.text : QString());
    m_body->setVisible(!isNowhere);
    if (isNowhere) return;
    m_facts->show(m_detail.facts());
    m_lanes->show(m_detail.window().span({}), m_detail.lanes());
    for (TimeChart* chart : m_charts)
        chart->refresh();
    m_readout->refresh();
    const bool isLoading = state.kind == Kind::Loading;
    m_story->setNothingText(isLoading ? QString() : QStringLiteral("Nothing is known yet."));
    m_log->setNothingText(isLoading ? QString() : QStringLiteral("Nothing matches the filter."));
    m_story->setDimmed(isTrouble);
    m_log->setDimmed(isTrouble);
}

void IncidentDetailView::step(int direction)
{
    const QString key = m_detail.step(m_story->chosen(), direction);
    m_story->choose(key);
    m_story->setFocus(Qt::OtherFocusReason);
}

QString IncidentDetailView::chosen() const
{
    return m_log->hasFocus() ? m_log->chosen() : m_story->chosen();
}

std::vector<model::Picture> IncidentDetailView::pictureNames() const
{
    std::vector<model::Picture> names;
    const QString base = model::fileName(m_detail.known()->incident);
    for (const Drawn& drawn : kDrawn) {
        names.emplace_back(
            base + QChar('-') + QString::fromLatin1(drawn.name) + QStringLiteral(".png"),
            QString::fromLatin1(drawn.title));
    }
    return names;
}

ReviewDocument IncidentDetailView::document(const model::IncidentReview& review) const
{
    ReviewDocument document;
    document.title = m_detail.id() + QStringLiteral(": ") + m_title->text();
    document.markdown = review.markdown;
    const auto names = pictureNames();
    for (std::size_t i = 0; i < names.size(); ++i) {
        TimeChart chart(Theme::light(), m_detail.chartFeed(), specOf(kDrawn[i], true));
        chart.resize(kPicture);
        chart.refresh();
        document.pictures.emplace_back(names[i], chart.grab().toImage());
    }
    return document;
}

std::vector<QWidget*> IncidentDetailView::panes() const
{
    std::vector<QWidget*> panes{m_story, m_log};
    panes.insert(panes.end(), m_charts.begin(), m_charts.end());
    return panes;
}

QWidget* IncidentDetailView::filterField() const
{
    return m_filter;
}

QString IncidentDetailView::message() const
{
    return m_message->isHidden() ? QString() : m_message->text();
}

} // namespace weir::view
