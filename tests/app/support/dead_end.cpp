// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/dead_end.h"

#include <QTest>

#include <utility>

namespace weir::test {
namespace {

/// Everything from one to the other, and that it went.
void pass(QTcpSocket& from, QTcpSocket& to)
{
    if (to.state() == QAbstractSocket::ConnectedState) to.write(from.readAll());
    if (from.state() == QAbstractSocket::UnconnectedState) to.disconnectFromHost();
}

} // namespace

DeadEnd::DeadEnd(const QString& host, int port)
    : m_host(host)
    , m_serverPort(port)
{
    moveToThread(&m_thread);
    m_thread.start();
    const auto listen = [this] {
        m_listener = new QTcpServer;
        connect(m_listener, &QTcpServer::newConnection, this, &DeadEnd::accept);
        if (!m_listener->listen(QHostAddress::LocalHost)) qFatal("no port");
        m_port = m_listener->serverPort();
    };
    QMetaObject::invokeMethod(this, listen, Qt::BlockingQueuedConnection);
}

DeadEnd::~DeadEnd()
{
    const auto end = [this] {
        // A socket that is deleted says that it is disconnected.
        for (const Pair& pair : std::exchange(m_pairs, {})) {
            delete pair.client;
            delete pair.server;
        }
        delete m_listener;
    };
    QMetaObject::invokeMethod(this, end, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void DeadEnd::hold(bool isHeld)
{
    const auto change = [this, isHeld] {
        m_isHeld = isHeld;
        move();
    };
    QMetaObject::invokeMethod(this, change, Qt::BlockingQueuedConnection);
}

bool DeadEnd::isIdleWithin(int ms)
{
    return QTest::qWaitFor([this] { return isIdle(); }, ms);
}

bool DeadEnd::isIdle()
{
    bool isIdle = true;
    const auto look = [this, &isIdle] {
        for (const Pair& pair : m_pairs) {
            isIdle = isIdle && pair.client->state() == QAbstractSocket::UnconnectedState &&
                     pair.server->state() == QAbstractSocket::UnconnectedState;
        }
    };
    QMetaObject::invokeMethod(this, look, Qt::BlockingQueuedConnection);
    return isIdle;
}

void DeadEnd::accept()
{
    QTcpSocket* client = m_listener->nextPendingConnection();
    client->setParent(nullptr);
    auto* server = new QTcpSocket;
    m_pairs.push_back({client, server});
    for (QTcpSocket* socket : {client, server}) {
        connect(socket, &QTcpSocket::readyRead, this, &DeadEnd::move);
        connect(socket, &QTcpSocket::disconnected, this, &DeadEnd::move);
    }
    connect(server, &QTcpSocket::connected, this, &DeadEnd::move);
    server->connectToHost(m_host, static_cast<quint16>(m_serverPort));
}

void DeadEnd::move()
{
    if (m_isHeld) return;
    for (const Pair& pair : m_pairs) {
        if (pair.server->state() == QAbstractSocket::ConnectingState ||
            pair.server->state() == QAbstractSocket::HostLookupState) {
            continue;
        }
        pass(*pair.client, *pair.server);
        pass(*pair.server, *pair.client);
    }
}

} // namespace weir::test
