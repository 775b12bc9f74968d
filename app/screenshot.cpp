// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/screenshot.h"

#include <QCoreApplication>
#include <QEvent>

#include <cstdio>

namespace weir::app {
namespace {

constexpr int kBoundMs = 10'000;

} // namespace

Screenshot::Screenshot(
    model::Console& console, view::MainWindow& window, QString file, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_window(window)
    , m_file(std::move(file))
{
    m_bound.setSingleShot(true);
    connect(&m_bound, &QTimer::timeout, this, &Screenshot::giveUp);
    connect(&console, &model::Console::changed, this, &Screenshot::tryNow);
    m_bound.start(kBoundMs);
}

void Screenshot::noteHistory()
{
    m_hasHistory = true;
    tryNow();
}

void Screenshot::tryNow()
{
    const bool isStoreSettled =
        m_hasHistory || m_console.storeReach().state == model::Reach::State::Lost;
    if (!m_console.dataAge() || !isStoreSettled || !m_bound.isActive()) return;
    m_bound.stop();
    save();
}

void Screenshot::save()
{
    m_window.refresh();
    // What has just been shown or hidden moves the rest.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    m_window.refresh();
    if (m_window.grab().save(m_file, "PNG")) {
        QCoreApplication::exit(0);
        return;
    }
    std::fprintf(stderr, "weir-console: cannot write %s\n", qUtf8Printable(m_file));
    QCoreApplication::exit(1);
}

void Screenshot::giveUp()
{
    const model::Reach& agent = m_console.agentReach();
    const QString why = agent.trouble.isEmpty() ? QStringLiteral("it sent nothing") : agent.trouble;
    std::fprintf(
        stderr,
        "weir-console: no data from %s within %d s: %s\n",
        qUtf8Printable(agent.name),
        kBoundMs / 1000,
        qUtf8Printable(why));
    QCoreApplication::exit(1);
}

} // namespace weir::app
