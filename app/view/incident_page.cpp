// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/incident_page.h"

#include "app/model/incident_export.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace weir::view {
namespace {

const QString kNoteKey = QStringLiteral("note/");

} // namespace

IncidentPage::IncidentPage(const Theme& theme, model::Console& console, QWidget* parent)
    : Page(parent)
    , m_theme(theme)
    , m_console(console)
    , m_list(console)
    , m_detail(console)
    , m_stack(new QStackedWidget(this))
    , m_listView(new IncidentListView(theme, m_list, this))
    , m_detailView(new IncidentDetailView(theme, m_detail, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(m_listView);
    m_stack->addWidget(m_detailView);
    makeKeys();
    connect(&m_list, &model::IncidentList::changed, this, &IncidentPage::refresh);
    connect(&m_detail, &model::IncidentDetail::changed, this, &IncidentPage::refresh);
    connect(m_listView, &IncidentListView::opened, this, &IncidentPage::show);
    connect(m_detailView, &IncidentDetailView::backWanted, this, &IncidentPage::goBack);
    connect(m_detailView, &IncidentDetailView::noteWanted, this, &IncidentPage::writeNote);
    connect(m_detailView, &IncidentDetailView::exportWanted, this, &IncidentPage::openExport);
    connect(m_detailView, &IncidentDetailView::linkWanted, this, &IncidentPage::copyLink);
    connect(m_detailView, &IncidentDetailView::opened, this, &IncidentPage::follow);
}

IncidentPage::~IncidentPage()
{
    // The views look at the models to their end.
    delete m_stack;
}

void IncidentPage::makeKeys()
{
    const auto add = [this](const char* text, int key, std::function<void()> run) {
        m_detailKeys.push_back(
            addKey(QString::fromLatin1(text), QKeySequence(key), std::move(run)));
    };
    add("Next event of the incident", Qt::Key_N, [this] { m_detailView->step(1); });
    add("Previous event of the incident", Qt::Key_P, [this] { m_detailView->step(-1); });
    add("Note on the incident", Qt::Key_J, [this] { writeNote(); });
    add("Edit the chosen note", Qt::Key_E, [this] { editNote(m_detailView->chosen()); });
    add("Take the chosen line into the story", Qt::Key_Plus, [this] {
        m_detail.promote(m_detailView->chosen());
        openNote();
    });
    add("Export the incident", Qt::Key_X, [this] { openExport(); });
    const auto nudge = [this](int hundredths) {
        return [this, hundredths] { m_detail.window().nudge(hundredths, m_console.now()); };
    };
    add("Crosshair of the incident to the left", Qt::Key_Left, nudge(-1));
    add("Crosshair of the incident to the right", Qt::Key_Right, nudge(1));
    const int shift = static_cast<int>(Qt::SHIFT);
    add("Crosshair of the incident far to the left", shift | Qt::Key_Left, nudge(-10));
    add("Crosshair of the incident far to the right", shift | Qt::Key_Right, nudge(10));
    for (QAction* key : m_detailKeys)
        key->setEnabled(false);
}

void IncidentPage::enter(const model::Place& place)
{
    if (place.range)
        m_list.show(*place.range);
    else
        m_list.setLength(m_list.length());
    if (place.key.isEmpty())
        showList();
    else
        show(place.key);
}

void IncidentPage::show(const QString& incident)
{
    m_detail.open(incident);
    m_stack->setCurrentWidget(m_detailView);
    for (QAction* key : m_detailKeys)
        key->setEnabled(true);
    m_detailView->story().setFocus(Qt::OtherFocusReason);
    refresh();
}

bool IncidentPage::goBack()
{
    if (!m_detail.isOpen()) return false;
    showList();
    return true;
}

void IncidentPage::showList()
{
    const QString id = m_detail.id();
    m_detail.close();
    m_stack->setCurrentWidget(m_listView);
    for (QAction* key : m_detailKeys)
        key->setEnabled(false);
    if (!id.isEmpty()) m_listView->grid().choose(id);
    m_listView->grid().setFocus(Qt::OtherFocusReason);
    refresh();
}

void IncidentPage::refresh()
{
    if (m_detail.isOpen()) {
        m_detail.tick();
        m_detailView->refresh();
    } else {
        m_list.tick();
        m_listView->refresh();
    }
}

void IncidentPage::follow(const QString& key)
{
    if (key.startsWith(kNoteKey)) {
        editNote(key);
        return;
    }
    const model::CaseLine* line = m_detail.line(key);
    if (line == nullptr || !line->place) return;
    // A copy: going to another incident ends the lines of this one.
    const model::Place place = *line->place;
    m_console.go(place);
}

void IncidentPage::writeNote()
{
    if (m_detail.known() == nullptr) return;
    m_detail.writeNote(m_detailView->chosen());
    openNote();
}

void IncidentPage::editNote(const QString& key)
{
    if (!key.startsWith(kNoteKey)) return;
    m_detail.editNote(key.mid(kNoteKey.size()));
    openNote();
}

void IncidentPage::openNote()
{
    if (!m_detail.desk().isOpen()) return;
    if (m_note) m_note->deleteLater();
    m_note = new NoteDialog(m_theme, m_detail.desk(), this);
    m_note->setAttribute(Qt::WA_DeleteOnClose);
    m_note->open();
}

void IncidentPage::openExport()
{
    if (m_detail.known() == nullptr) return;
    const model::IncidentCase& known = *m_detail.known();
    const auto review = model::reviewOf(known, m_detailView->pictureNames());
    if (m_export) m_export->deleteLater();
    m_export = new ExportDialog(
        m_theme, m_detailView->document(review), review, model::fileName(known.incident), this);
    m_export->setAttribute(Qt::WA_DeleteOnClose);
    m_export->open();
}

void IncidentPage::copyLink() const
{
    QGuiApplication::clipboard()->setText(model::toLink(place()));
}

std::vector<QWidget*> IncidentPage::panes() const
{
    if (m_detail.isOpen()) return m_detailView->panes();
    return {&m_listView->grid()};
}

QWidget* IncidentPage::filterField() const
{
    return m_detail.isOpen() ? m_detailView->filterField() : m_listView->filterField();
}

model::Place IncidentPage::place() const
{
    model::Place place{model::Place::Page::Incidents, m_detail.id(), std::nullopt};
    if (m_list.isFixed()) place.range = m_list.range();
    return place;
}

} // namespace weir::view
