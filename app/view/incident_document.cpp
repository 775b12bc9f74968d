// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/incident_document.h"

#include "app/view/save_file.h"
#include "app/view/theme.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>

namespace weir::view {
namespace {

/// What fits between the margins of an A4 page, in the document's pixels.
constexpr qreal kPictureWidth = 620.0;

QByteArray pngOf(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes;
}

void fitPictures(QTextDocument& text)
{
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            if (!fragment.charFormat().isImageFormat()) continue;
            QTextImageFormat format = fragment.charFormat().toImageFormat();
            format.setWidth(kPictureWidth);
            QTextCursor cursor(&text);
            cursor.setPosition(fragment.position());
            cursor.setPosition(fragment.position() + 1, QTextCursor::KeepAnchor);
            cursor.setCharFormat(format);
            break;
        }
    }
}

void fill(QTextDocument& text, const ReviewDocument& document)
{
    text.setDefaultFont(uiFont(9.5));
    auto features = QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub);
    features |= QTextDocument::MarkdownNoHTML;
    text.setMarkdown(document.markdown, features);
    text.setMetaInformation(QTextDocument::DocumentTitle, document.title);
    // After the text: setting it forgets the resources.
    for (const auto& [picture, image] : document.pictures)
        text.addResource(QTextDocument::ImageResource, QUrl(picture.first), image);
    fitPictures(text);
}

} // namespace

QString extensionOf(ReviewFormat format)
{
    switch (format) {
    case ReviewFormat::Html:
        return QStringLiteral(".html");
    case ReviewFormat::Pdf:
        return QStringLiteral(".pdf");
    case ReviewFormat::Markdown:
        break;
    }
    return QStringLiteral(".md");
}

QByteArray htmlOf(const ReviewDocument& document)
{
    QTextDocument text;
    fill(text, document);
    QString html = text.toHtml();
    for (const auto& [picture, image] : document.pictures) {
        const QString data =
            QStringLiteral("data:image/png;base64,") + QString::fromLatin1(pngOf(image).toBase64());
        html.replace(
            QStringLiteral("src=\"") + picture.first + QChar('"'),
            QStringLiteral("src=\"") + data + QChar('"'));
    }
    return html.toUtf8();
}

QByteArray pdfOf(const ReviewDocument& document)
{
    QTextDocument text;
    fill(text, document);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(document.title);
    writer.setCreator(QStringLiteral("weir-console"));
    writer.setPageSize(QPageSize(QPageSize::A4));
    // The text brings margins of its own.
    writer.setPageMargins(QMarginsF(), QPageLayout::Millimeter);
    text.print(&writer);
    buffer.close();
    return bytes;
}

QString saveReview(const ReviewDocument& document, ReviewFormat format, const QString& path)
{
    if (format == ReviewFormat::Html) return writeFile(path, htmlOf(document));
    if (format == ReviewFormat::Pdf) return writeFile(path, pdfOf(document));
    const QDir folder = QFileInfo(path).dir();
    for (const auto& [picture, image] : document.pictures) {
        const QString trouble = writeFile(folder.filePath(picture.first), pngOf(image));
        if (!trouble.isEmpty()) return trouble;
    }
    return writeFile(path, document.markdown.toUtf8());
}

} // namespace weir::view
