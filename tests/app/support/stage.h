// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/main_window.h"
#include "app/view/theme.h"
#include "tests/app/support/direct_archive.h"
#include "tests/app/support/samples.h"

#include <QImage>
#include <QTemporaryDir>

namespace weir::test {

/// Style, palette and fonts as the program sets them.
void dress(const view::Theme& theme);

/// The console's window over a model that the test feeds by hand, at a time that stands still.
class Stage final
{
public:
    explicit Stage(const view::Theme& theme = view::Theme::light(), bool isReadOnly = false);

    /// As after start-up with an agent and a store: history, switch, settings, one snapshot.
    void fill(const AgentStatus& status = sampleStatus());
    /// A second goes by and brings a snapshot.
    void second(const AgentStatus& status);
    /// Time goes by without any news.
    void wait(Duration duration);
    /// Lets everything happen that is still on its way to the screen.
    void settle();
    /// The window as it would be on a screen, layout settled.
    [[nodiscard]] QImage picture();
    /// The same, also kept as a file where WEIR_GALLERY names a folder.
    QImage keep(const QString& name);

    /// Stands before the window, which takes its fonts from the application.
    struct Dress
    {
        explicit Dress(const view::Theme& theme) { dress(theme); }
    };

    Dress dressed;
    HandClock clock;
    QTemporaryDir folder;
    /// On a new SQLite store, which tests fill by its own writers.
    DirectArchive archive;
    model::Console console;
    view::MainWindow window;
};

/// Saves where WEIR_GALLERY names a folder, for people to look at.
void keepPicture(const QImage& picture, const QString& name);

} // namespace weir::test
