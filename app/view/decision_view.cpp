// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/decision_view.h"

#include "app/model/decision_rows.h"

#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace weir::view {
namespace {

using Kind = model::PanelState::Kind;

constexpr int kFactColumns = 5;

Line* makeTitle(const Theme& theme, const QString& text, QWidget* parent)
{
    auto* title = new Line(uiFont(10.0, QFont::Medium), theme.text, parent);
    title->setText(text);
    return title;
}

} // namespace

DecisionView::DecisionView(const Theme& theme, model::DecisionDetail& detail, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_detail(detail)
    , m_id(new Line(monoFont(10.0), theme.muted, this))
    , m_verdict(new Chip(theme, 10.0, this))
    , m_message(new MessageBar(theme, this))
    , m_body(new QWidget(this))
    , m_headline(makeParagraph(uiFont(13.0, QFont::Medium), theme.text, m_body))
    , m_facts(new QWidget(m_body))
    , m_factGrid(new QGridLayout(m_facts))
    , m_differences(makeParagraph(uiFont(), theme.ink(model::Tone::Critical), m_body))
{
    m_factGrid->setContentsMargins(0, 0, 0, 0);
    m_factGrid->setHorizontalSpacing(24);
    m_factGrid->setVerticalSpacing(2);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 8, 0);
    body->setSpacing(10);
    body->addWidget(m_headline);
    body->addWidget(m_facts);
    body->addWidget(m_differences);
    body->addWidget(makeLadder());
    body->addWidget(makeWhatIf());
    body->addWidget(makeAttempts());
    m_notes = makeParagraph(uiFont(9.5), theme.muted, m_body);
    body->addWidget(m_notes);
    body->addStretch(1);

    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_body);
    scroll->viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(makeTop());
    layout->addWidget(m_message);
    layout->addWidget(scroll, 1);

    // Text fields take it for themselves.
    auto* copy = new QShortcut(QKeySequence(QKeySequence::Copy), this);
    copy->setContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QShortcut::activated, this, [this] {
        QApplication::clipboard()->setText(m_detail.json());
    });
    connect(m_message, &MessageBar::actionWanted, this, [this] { m_detail.open(m_detail.id()); });
    connect(&detail, &model::DecisionDetail::changed, this, &DecisionView::refresh);
    refresh();
}

QPushButton* DecisionView::makeButton(const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    button->setToolTip(tip);
    return button;
}

QWidget* DecisionView::makeTop()
{
    auto* top = new QWidget(this);
    auto* layout = new QHBoxLayout(top);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* back =
        makeButton(QStringLiteral("‹ Requests"), QStringLiteral("Back to the list (Esc)"), top);
    auto* replay = makeButton(
        QStringLiteral("Replay"),
        QStringLiteral("Read it again and decide again from what was saved (R)"),
        top);
    m_whatIfButton = makeButton(
        QStringLiteral("What if…"),
        QStringLiteral("Try other settings on this request; nothing is changed (W)"),
        top);
    auto* json = makeButton(
        QStringLiteral("Copy JSON"),
        QStringLiteral("Everything that is known of it (Ctrl+C)"),
        top);
    auto* link = makeButton(
        QStringLiteral("Copy link"), QStringLiteral("A weir:// link to this request"), top);
    layout->addWidget(back);
    layout->addWidget(m_id, 1);
    layout->addWidget(m_verdict);
    for (QPushButton* button : {replay, m_whatIfButton, json, link})
        layout->addWidget(button);
    connect(back, &QPushButton::clicked, this, &DecisionView::backWanted);
    connect(replay, &QPushButton::clicked, this, [this] { m_detail.open(m_detail.id()); });
    connect(m_whatIfButton, &QPushButton::clicked, this, [this] {
        if (!closeWhatIf()) openWhatIf();
    });
    connect(json, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(m_detail.json());
    });
    connect(link, &QPushButton::clicked, this, &DecisionView::copyLink);
    return top;
}

QWidget* DecisionView::makeLadder()
{
    auto* card = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 4, 4, 8);
    m_ladder = new GridView(m_theme, m_detail.ladder(), QStringLiteral("Providers by place"), card);
    m_ladder->fitRows(1, 10);
    m_sentence = makeParagraph(uiFont(9.5), m_theme.muted, card);
    m_sentence->setContentsMargins(10, 0, 10, 0);
    layout->addWidget(m_ladder);
    layout->addWidget(m_sentence);
    connect(m_ladder, &GridView::chosenChanged, this, &DecisionView::refreshSentence);
    connect(m_ladder, &GridView::opened, this, [this](const QString& provider) {
        emit placeWanted({model::Place::Page::Providers, provider, std::nullopt});
    });
    return card;
}

QWidget* DecisionView::makeWhatIf()
{
    m_whatIfCard = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(m_whatIfCard);
    layout->setContentsMargins(12, 10, 12, 10);
    auto* head = new QHBoxLayout;
    auto* mark = new Chip(m_theme, 9.5, m_whatIfCard);
    mark->show(
        model::Glyph::DiamondOpen,
        model::Tone::Off,
        QStringLiteral("HYPOTHETICAL"),
        QStringLiteral(" · nothing is changed"));
    m_supposition = makeParagraph(uiFont(10.5, QFont::Medium), m_theme.text, m_whatIfCard);
    head->addWidget(mark);
    head->addWidget(m_supposition, 1);
    m_whatIf = new WhatIfForm(m_theme, m_whatIfCard);
    m_hypothesis = new GridView(
        m_theme, m_detail.hypothesis(), QStringLiteral("Providers, hypothetical"), m_whatIfCard);
    m_hypothesis->fitRows(1, 10);
    auto* what = makeParagraph(uiFont(9.0), m_theme.muted, m_whatIfCard);
    what->setText(QStringLiteral(
        "The same request, figures, gates and draws, decided by the agents' own code in adaptive "
        "mode, as if these settings had held long enough for the traffic to have moved."));
    auto* middle = new QHBoxLayout;
    middle->setSpacing(16);
    middle->addWidget(m_whatIf, 2);
    auto* right = new QVBoxLayout;
    right->addWidget(m_hypothesis);
    right->addWidget(what);
    right->addStretch(1);
    middle->addLayout(right, 5);
    layout->addLayout(head);
    layout->addLayout(middle);
    m_whatIfCard->hide();
    connect(m_whatIf, &WhatIfForm::supposed, &m_detail, &model::DecisionDetail::suppose);
    return m_whatIfCard;
}

QWidget* DecisionView::makeAttempts()
{
    auto* card = new Card(m_theme, m_body);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(4, 10, 4, 8);
    auto* title = makeTitle(m_theme, QStringLiteral("Attempts"), card);
    title->setContentsMargins(10, 0, 0, 0);
    auto* times = new QWidget(card);
    auto* inside = new QVBoxLayout(times);
    inside->setContentsMargins(8, 0, 8, 0);
    inside->addWidget(title);
    m_time = new TimeBar(m_theme, times);
    m_timeText = makeParagraph(uiFont(9.5), m_theme.muted, times);
    inside->addWidget(m_time);
    inside->addWidget(m_timeText);
    layout->addWidget(times);
    m_attempts = new GridView(m_theme, m_detail.attempts(), QStringLiteral("Attempts"), card);
    m_attempts->fitRows(1, 8);
    layout->addWidget(m_attempts);
    return card;
}

void DecisionView::refresh()
{
    m_id->setText(m_detail.id());
    refreshMessage();
    const auto* file = m_detail.file();
    const bool isLoading = m_detail.panel().kind == Kind::Loading;
    m_body->setVisible(file != nullptr || isLoading);
    m_verdict->setVisible(file != nullptr);
    m_whatIfButton->setEnabled(m_detail.policy() != nullptr);
    m_whatIfButton->setToolTip(
        m_detail.policy() != nullptr
            ? QStringLiteral("Try other settings on this request; nothing is changed (W)")
            : QStringLiteral("Without its decision and its summary there is nothing to try"));
    if (file == nullptr) return showLoading();
    const model::Verdict& verdict = m_detail.verdict();
    m_verdict->show(verdict.glyph, verdict.tone, QStringLiteral("replay: "), verdict.text);
    m_headline->setText(m_detail.headline());
    for (QWidget* part : std::initializer_list<QWidget*>{m_facts, m_time, m_timeText, m_notes})
        part->show();
    refreshFacts();
    m_differences->setText(verdict.lines.join(QChar('\n')));
    m_differences->setVisible(!verdict.lines.isEmpty());
    m_ladder->setNothingText(QStringLiteral("Without its saved decision and its summary nothing "
                                            "can be said of the other providers."));
    refreshSentence();
    const bool isSupposing = m_detail.isSupposing();
    m_whatIfCard->setVisible(isSupposing);
    m_supposition->setText(m_detail.supposition());
    m_time->show(m_detail.times(), m_detail.timeText());
    m_timeText->setText(m_detail.timeText());
    m_notes->setText(m_detail.notes().join(QStringLiteral("  ·  ")));
}

void DecisionView::showLoading()
{
    m_headline->setText(QStringLiteral("Reading the ledger…"));
    for (QWidget* part : std::initializer_list<QWidget*>{
             m_facts, m_differences, m_sentence, m_whatIfCard, m_time, m_timeText, m_notes}) {
        part->hide();
    }
    m_ladder->setNothingText(QString());
}

void DecisionView::refreshMessage()
{
    const model::PanelState state = m_detail.panel();
    const bool isTrouble = state.kind == Kind::Error || state.kind == Kind::Empty;
    m_message->setVisible(isTrouble);
    if (!isTrouble) return;
    const bool isError = state.kind == Kind::Error;
    m_message->show(
        isError ? model::Glyph::Cross : model::Glyph::Circle,
        isError ? model::Tone::Critical : model::Tone::Stale,
        state.text,
        QStringLiteral("Retry"));
}

void DecisionView::refreshFacts()
{
    const std::vector<model::Fact> facts = m_detail.facts();
    QStringList shown;
    for (const model::Fact& fact : facts)
        shown << fact.label + QChar('=') + fact.value + fact.query;
    if (shown == m_factsShown) return;
    m_factsShown = shown;
    while (QLayoutItem* item = m_factGrid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int at = 0;
    for (const model::Fact& fact : facts) {
        const int row = at / kFactColumns * 3;
        m_factGrid->setRowMinimumHeight(row + 2, 6);
        const int column = at % kFactColumns;
        auto* label = new Line(uiFont(9.0), m_theme.muted, m_facts);
        label->setText(fact.label);
        m_factGrid->addWidget(label, row, column);
        const bool isLink = fact.place || !fact.query.isEmpty();
        if (isLink) {
            auto* link = new QToolButton(m_facts);
            link->setText(fact.value);
            link->setAutoRaise(true);
            link->setAccessibleName(fact.label + QChar(' ') + fact.value);
            link->setToolTip(
                fact.place ? QStringLiteral("Open its page") : QStringLiteral("Find all like it"));
            link->setStyleSheet(
                QStringLiteral(
                    "QToolButton{border:1px solid transparent;padding:0;margin-left:-5px;color:%1}"
                    "QToolButton:hover{text-decoration:underline}"
                    "QToolButton:focus{border-color:%1;border-radius:3px}")
                    .arg(m_theme.accent.name()));
            connect(link, &QToolButton::clicked, this, [this, fact] {
                if (fact.place)
                    emit placeWanted(*fact.place);
                else
                    emit queryWanted(fact.query);
            });
            m_factGrid->addWidget(link, row + 1, column, Qt::AlignLeft);
        } else {
            auto* value = new Line(uiFont(), m_theme.text, m_facts);
            value->setText(fact.value);
            m_factGrid->addWidget(value, row + 1, column);
        }
        m_factGrid->setColumnStretch(column, 1);
        ++at;
    }
}

void DecisionView::refreshSentence()
{
    const auto& rows = m_detail.ladder().rows();
    QString provider = m_ladder->chosen();
    if (provider.isEmpty() && !rows.empty()) provider = rows.front().key;
    const QString sentence = m_detail.sentenceOf(provider);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
}

void DecisionView::openWhatIf()
{
    const RoutingPolicy* const policy = m_detail.policy();
    if (policy == nullptr) return;
    m_whatIf->setPolicy(*policy);
    m_detail.suppose(*policy);
    m_whatIf->costWeight()->setFocus(Qt::OtherFocusReason);
}

bool DecisionView::closeWhatIf()
{
    if (!m_detail.isSupposing()) return false;
    m_detail.stopSupposing();
    m_ladder->setFocus(Qt::OtherFocusReason);
    return true;
}

void DecisionView::copyLink() const
{
    const model::Place place{model::Place::Page::Decisions, m_detail.id(), std::nullopt};
    QApplication::clipboard()->setText(model::toLink(place));
}

void DecisionView::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_R) {
        m_detail.open(m_detail.id());
        return;
    }
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_W) {
        if (!closeWhatIf()) openWhatIf();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace weir::view
