// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QString>

namespace weir::app {

/// One window a profile and user: a second start hands its link to the first and ends.
class SingleInstance final : public QObject
{
    Q_OBJECT

public:
    /// True where a window of the profile is open and has taken the link, which may be empty.
    [[nodiscard]] static bool handOver(const QString& profile, const QString& link);

    /// From now on this program is the one.
    explicit SingleInstance(const QString& profile, QObject* parent = nullptr);

signals:
    /// Somebody started it once more, with this link or none.
    void asked(const QString& link);

private:
    void answer();

    QLocalServer m_server;
};

} // namespace weir::app
