// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/incident_export.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <vector>

namespace weir::view {

enum class ReviewFormat : std::uint8_t { Markdown, Html, Pdf };

/// ".md", ".html", ".pdf".
[[nodiscard]] QString extensionOf(ReviewFormat format);

/// A review with its pictures: the names in the Markdown are theirs.
struct ReviewDocument
{
    QString title;
    QString markdown;
    std::vector<std::pair<model::Picture, QImage>> pictures;
};

/// Pictures stand in the text.
[[nodiscard]] QByteArray htmlOf(const ReviewDocument& document);
[[nodiscard]] QByteArray pdfOf(const ReviewDocument& document);

/// Writes the file; of Markdown, its pictures beside it. Empty where it is done, else what the
/// matter is and with which file. A file that cannot be written whole is not left half.
[[nodiscard]] QString
saveReview(const ReviewDocument& document, ReviewFormat format, const QString& path);

} // namespace weir::view
