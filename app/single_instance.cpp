// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/single_instance.h"

#include <QCryptographicHash>
#include <QLocalSocket>
#include <QStandardPaths>

namespace weir::app {
namespace {

constexpr int kPatienceMs = 1'000;
constexpr qint64 kLinkMax = 4'096;

/// In the user's own folder, where others cannot take the name.
QString addressOf(const QString& profile)
{
    const QByteArray hash =
        QCryptographicHash::hash(profile.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) +
           QStringLiteral("/weir-console-") + QString::fromLatin1(hash);
}

} // namespace

bool SingleInstance::handOver(const QString& profile, const QString& link)
{
    QLocalSocket socket;
    socket.connectToServer(addressOf(profile));
    if (!socket.waitForConnected(kPatienceMs)) return false;
    socket.write(link.toUtf8() + '\n');
    // One that hangs does not keep a new window from opening.
    return socket.waitForBytesWritten(kPatienceMs) && socket.waitForReadyRead(kPatienceMs);
}

SingleInstance::SingleInstance(const QString& profile, QObject* parent)
    : QObject(parent)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
    // Of one that was killed.
    QLocalServer::removeServer(addressOf(profile));
    m_server.listen(addressOf(profile));
}

void SingleInstance::answer()
{
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine() && socket->bytesAvailable() < kLinkMax) return;
            const QByteArray line = socket->readLine(kLinkMax).trimmed();
            socket->write("ok\n");
            emit asked(QString::fromUtf8(line));
        });
    }
}

} // namespace weir::app
