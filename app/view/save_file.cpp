// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/save_file.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

namespace weir::view {

QString writeFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    const bool isDone =
        file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
    if (isDone) return {};
    return QStringLiteral("%1 cannot be written: %2").arg(path, file.errorString());
}

void askWhere(
    QWidget* parent,
    const QString& title,
    const QString& name,
    std::function<void(const QString& path)> chosen)
{
    auto* dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
    dialog->open();
}

} // namespace weir::view
