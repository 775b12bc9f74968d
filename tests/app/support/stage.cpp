// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/stage.h"

#include <QApplication>
#include <QDir>
#include <QStyleFactory>

namespace weir::test {
namespace {

model::Operator maria(bool isReadOnly, const QString& folder)
{
    return {
        QStringLiteral("production"),
        QStringLiteral("maria"),
        QStringLiteral("devbox"),
        isReadOnly,
        model::Band::Red,
        folder};
}

} // namespace

Stage::Stage(const view::Theme& theme, bool isReadOnly)
    : dressed(theme)
    , archive("sqlite:" + folder.filePath(QStringLiteral("weir.db")).toStdString())
    , console(maria(isReadOnly, folder.path()), clock.clock())
    // The window asks the store from its first moment.
    , window(theme, (console.setArchive(&archive), console))
{
    console.nameDoors(QStringLiteral("127.0.0.1:8791"), QStringLiteral("weir.db"));
    window.resize(1440, 900);
}

void Stage::fill(const AgentStatus& status)
{
    const UtcTime now = clock.now();
    console.showStoreReached(0.6);
    console.showSwitch(
        switchRow(Mode::Fixed, status.switchVersion, "maria", now - std::chrono::minutes{12}));
    RoutingSettings settings = standardSettings();
    settings.version = 7;
    console.showSettings(settings);
    // The last slice is still being filled; the live stream begins where it would stand.
    const UtcTime last = now - std::chrono::seconds{10};
    console.showHistory(sampleSlices(), now - std::chrono::hours{1}, last, 10'000);
    console.showAgentReached(2.1);
    console.showStatus(std::make_shared<const AgentStatus>(status));
}

void Stage::second(const AgentStatus& status)
{
    clock.advance(std::chrono::seconds{1});
    console.showStatus(std::make_shared<const AgentStatus>(status));
}

void Stage::wait(Duration duration)
{
    clock.advance(duration);
    console.tick();
}

QImage Stage::picture()
{
    window.show();
    window.refresh();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    window.refresh();
    return window.grab().toImage();
}

void Stage::settle()
{
    for (int turn = 0; turn < 8; ++turn)
        QCoreApplication::processEvents();
}

QImage Stage::keep(const QString& name)
{
    const QImage image = picture();
    keepPicture(image, name);
    return image;
}

void dress(const view::Theme& theme)
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(theme.palette());
    QApplication::setFont(view::uiFont());
    QApplication::setCursorFlashTime(0);
}

void keepPicture(const QImage& picture, const QString& name)
{
    const QString folder = qEnvironmentVariable("WEIR_GALLERY");
    if (!folder.isEmpty()) picture.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace weir::test
