// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <vector>

namespace weir::test {

/// A relay that can hold everything back: bytes, and that somebody went, reach nobody until it lets
/// go. Lives in a thread of its own, so that a test may wait in a call meanwhile.
class DeadEnd final : public QObject
{
    Q_OBJECT

public:
    DeadEnd(const QString& host, int port);
    ~DeadEnd() override;

    [[nodiscard]] int port() const { return m_port; }

    void hold(bool isHeld);
    /// Nobody is connected any more.
    [[nodiscard]] bool isIdleWithin(int ms);

private:
    struct Pair
    {
        QTcpSocket* client;
        QTcpSocket* server;
    };

    void accept();
    void move();
    [[nodiscard]] bool isIdle();

    QString m_host;
    int m_serverPort;
    int m_port = 0;
    bool m_isHeld = false;
    std::vector<Pair> m_pairs;
    QTcpServer* m_listener = nullptr;
    QThread m_thread;
};

} // namespace weir::test
