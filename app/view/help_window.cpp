// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/help_window.h"

#include "app/model/place.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

namespace weir::view {
namespace {

const QString kFirst = QStringLiteral("index");

QString sourceOf(const QString& chapter)
{
    return QStringLiteral(":/help/") + chapter + QStringLiteral(".md");
}

/// Markdown's tables have the borders of the first browsers.
void dressTables(QTextDocument& document, const QColor& border)
{
    const auto frames = document.rootFrame()->childFrames();
    for (QTextFrame* frame : frames) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1.0);
        format.setBorderBrush(border);
        format.setCellPadding(7.0);
        format.setTopMargin(6.0);
        table->setFormat(format);
    }
}

} // namespace

HelpWindow::HelpWindow(const Theme& theme, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_chapters(new QListWidget(this))
    , m_text(new QTextBrowser(this))
    , m_find(new QLineEdit(this))
{
    setWindowTitle(QStringLiteral("Weir Console: guide"));
    resize(980, 720);
    m_chapters->setAccessibleName(QStringLiteral("Chapters"));
    m_chapters->setFixedWidth(170);
    m_text->setAccessibleName(QStringLiteral("Chapter"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(22);
    m_text->document()->setDefaultFont(uiFont(10.5));
    m_text->setStyleSheet(QStringLiteral("QTextBrowser{background:%1;color:%2}")
                              .arg(theme.card.name(), theme.text.name()));
    m_text->setOpenLinks(false);
    m_find->setAccessibleName(QStringLiteral("Find in this chapter"));
    m_find->setPlaceholderText(QStringLiteral("Find in this chapter (Ctrl+F)"));

    const auto add = [this](const QString& chapter, const QString& title) {
        if (!QFile::exists(sourceOf(chapter))) return;
        auto* item = new QListWidgetItem(title, m_chapters);
        item->setData(Qt::UserRole, chapter);
    };
    add(kFirst, QStringLiteral("Overview"));
    for (std::size_t i = 0; i < model::kPageCount; ++i) {
        const auto page = static_cast<model::Place::Page>(i);
        add(model::toWord(page), model::titleOf(page));
    }
    add(QStringLiteral("switch"), QStringLiteral("The off switch"));

    auto* left = new QVBoxLayout;
    left->addWidget(m_find);
    left->addWidget(m_chapters, 1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 14, 14, 14);
    layout->setSpacing(14);
    layout->addLayout(left);
    layout->addWidget(m_text, 1);

    connect(m_chapters, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) showSource(item->data(Qt::UserRole).toString());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QString file = link.path().section(QChar('/'), -1);
        if (link.isRelative() || link.scheme() == QStringLiteral("qrc")) {
            open(file.chopped(file.endsWith(QStringLiteral(".md")) ? 3 : 0));
        } else {
            QDesktopServices::openUrl(link);
        }
    });
    connect(m_find, &QLineEdit::textEdited, this, &HelpWindow::find);
    connect(m_find, &QLineEdit::returnPressed, this, [this] { find(m_find->text()); });
    auto* toFind = new QShortcut(QKeySequence::Find, this);
    connect(toFind, &QShortcut::activated, m_find, qOverload<>(&QWidget::setFocus));
}

void HelpWindow::open(const QString& chapter)
{
    int row = 0;
    for (int i = 0; i < m_chapters->count(); ++i) {
        if (m_chapters->item(i)->data(Qt::UserRole).toString() == chapter) row = i;
    }
    m_chapters->setCurrentRow(row);
    show();
    raise();
    activateWindow();
    m_text->setFocus();
}

QString HelpWindow::chapter() const
{
    const QListWidgetItem* item = m_chapters->currentItem();
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void HelpWindow::showSource(const QString& chapter)
{
    m_text->setSource(
        QUrl(QStringLiteral("qrc") + sourceOf(chapter)), QTextDocument::MarkdownResource);
    dressTables(*m_text->document(), m_theme.border);
}

void HelpWindow::find(const QString& words)
{
    if (words.isEmpty() || m_text->find(words)) return;
    // From the beginning again.
    m_text->moveCursor(QTextCursor::Start);
    m_text->find(words);
}

} // namespace weir::view
