// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/export_dialog.h"

#include "app/view/pieces.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace weir::view {
namespace {

constexpr ReviewFormat kFormats[] = {ReviewFormat::Markdown, ReviewFormat::Html, ReviewFormat::Pdf};

QString usualFolder()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(folder).isDir() ? folder : QDir::homePath();
}

} // namespace

ExportDialog::ExportDialog(
    const Theme& theme,
    ReviewDocument document,
    const model::IncidentReview& review,
    const QString& name,
    QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_document(std::move(document))
    , m_missing(makeParagraph(uiFont(10.0, QFont::Medium), theme.text, this))
    , m_outcome(makeParagraph(uiFont(), theme.text, this))
{
    setWindowTitle(QStringLiteral("Export the incident"));
    resize(820, 640);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(10);
    auto* title = new Line(uiFont(15.0, QFont::Medium), theme.text, this);
    title->setText(QStringLiteral("Export the incident"));
    layout->addWidget(title);
    m_missing->setText(model::missingText(review));
    if (!review.missing.isEmpty()) {
        m_missing->setText(
            m_missing->text() + QStringLiteral(". Add a note (J) for each, or write them later."));
        m_missing->setStyleSheet(
            QStringLiteral("QLabel{background:%1;color:%2;border-radius:6px;padding:9px 12px}")
                .arg(
                    theme.fill(model::Tone::Warning).name(),
                    theme.onFill(model::Tone::Warning).name()));
    }
    layout->addWidget(m_missing);
    auto* preview = new QPlainTextEdit(this);
    preview->setReadOnly(true);
    preview->setTabChangesFocus(true);
    preview->setFont(monoFont(9.0));
    preview->setPlainText(m_document.markdown);
    preview->setAccessibleName(QStringLiteral("Preview in Markdown"));
    layout->addWidget(preview, 1);
    layout->addWidget(makeFile(name));
    layout->addWidget(m_outcome);
    m_outcome->hide();
    chooseFormat();
}

QWidget* ExportDialog::makeFile(const QString& name)
{
    auto* group = new QWidget(this);
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_format = new QComboBox(group);
    m_format->addItems({QStringLiteral("Markdown"), QStringLiteral("HTML"), QStringLiteral("PDF")});
    m_format->setAccessibleName(QStringLiteral("Format"));
    m_path = new QLineEdit(QDir(usualFolder()).filePath(name), group);
    m_path->setAccessibleName(QStringLiteral("File"));
    m_save = new QPushButton(QStringLiteral("Save"), group);
    auto* copy = new QPushButton(QStringLiteral("Copy Markdown"), group);
    auto* close = new QPushButton(QStringLiteral("Close"), group);
    row->addWidget(m_format);
    row->addWidget(m_path, 1);
    for (QPushButton* button : {m_save, copy, close}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::chooseFormat);
    connect(m_path, &QLineEdit::textEdited, this, [this] {
        m_replaced.clear();
        m_save->setText(QStringLiteral("Save"));
    });
    connect(m_save, &QPushButton::clicked, this, &ExportDialog::save);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_document.markdown);
        say(model::Tone::Ok, QStringLiteral("Copied."));
    });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    return group;
}

ReviewFormat ExportDialog::format() const
{
    return kFormats[m_format->currentIndex()];
}

void ExportDialog::chooseFormat()
{
    QString path = m_path->text();
    for (const ReviewFormat each : kFormats) {
        if (path.endsWith(extensionOf(each))) path.chop(extensionOf(each).size());
    }
    m_path->setText(path + extensionOf(format()));
    m_replaced.clear();
    m_save->setText(QStringLiteral("Save"));
}

void ExportDialog::save()
{
    const QString path = m_path->text().trimmed();
    if (path.isEmpty()) {
        say(model::Tone::Critical, QStringLiteral("Name a file to save to."));
        return;
    }
    if (QFileInfo::exists(path) && m_replaced != path) {
        m_replaced = path;
        m_save->setText(QStringLiteral("Replace"));
        say(model::Tone::Warning, path + QStringLiteral(" exists: press again to replace it."));
        return;
    }
    const QString trouble = saveReview(m_document, format(), path);
    m_replaced.clear();
    m_save->setText(QStringLiteral("Save"));
    if (trouble.isEmpty())
        say(model::Tone::Ok, QStringLiteral("Saved to ") + path);
    else
        say(model::Tone::Critical, trouble);
}

void ExportDialog::say(model::Tone tone, const QString& text)
{
    QPalette palette = m_outcome->palette();
    palette.setColor(QPalette::WindowText, m_theme.ink(tone));
    m_outcome->setPalette(palette);
    m_outcome->setText(text);
    m_outcome->show();
}

} // namespace weir::view
