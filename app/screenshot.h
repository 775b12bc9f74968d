// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/main_window.h"

#include <QObject>
#include <QString>
#include <QTimer>

namespace weir::app {

/// Waits until the page has its data, saves a picture of it and ends the program: exit code 0, or 1
/// with one line that says why not.
class Screenshot final : public QObject
{
    Q_OBJECT

public:
    Screenshot(
        model::Console& console, view::MainWindow& window, QString file, QObject* parent = nullptr);

    /// The past has been read from the store, or there is none to read.
    void noteHistory();

private:
    void tryNow();
    void save();
    void giveUp();

    model::Console& m_console;
    view::MainWindow& m_window;
    QString m_file;
    QTimer m_bound;
    bool m_hasHistory = false;
};

} // namespace weir::app
