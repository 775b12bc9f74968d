// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QWidget;

namespace weir::view {

/// All of it or nothing: the old file stays until the new one is whole. Empty where it is done,
/// else what went wrong.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& bytes);

/// Asks where to, and calls `chosen` with the path where somebody says so. Returns at once.
void askWhere(
    QWidget* parent,
    const QString& title,
    const QString& name,
    std::function<void(const QString& path)> chosen);

} // namespace weir::view
