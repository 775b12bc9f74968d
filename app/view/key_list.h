// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QDialog>
#include <QList>

class QAction;

namespace weir::view {

/// Which key does what, made from the actions themselves.
class KeyList final : public QDialog
{
    Q_OBJECT

public:
    KeyList(const Theme& theme, const QList<QAction*>& actions, QWidget* parent = nullptr);
};

} // namespace weir::view
