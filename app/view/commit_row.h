// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QDialog;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

/// The last row of a dialog that writes: Esc and `cancel` close it; `commit` and Ctrl+Return write;
/// Return in a field does nothing.
void addCommitRow(
    QDialog& dialog,
    QVBoxLayout& layout,
    QPushButton& cancel,
    QPushButton& commit,
    const std::function<void()>& write);

} // namespace weir::view
