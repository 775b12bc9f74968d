// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/main_window.h"

#include <QString>

namespace weir::app {

/// What a profile's window looked like when it was closed.
class Session final
{
public:
    Session(QString file, QString profile);

    /// Size, place on the screen and page; what was never kept stays as it is.
    void restore(view::MainWindow& window, bool hasSize, bool hasPlace) const;
    void keep(const view::MainWindow& window) const;

    /// The profile of the window that was closed last; empty where there is none.
    [[nodiscard]] static QString lastProfile(const QString& file);

private:
    QString m_file;
    QString m_profile;
};

} // namespace weir::app
