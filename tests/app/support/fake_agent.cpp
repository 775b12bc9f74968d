// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/fake_agent.h"

#include "common/model/status_json.h"
#include "tests/app/support/samples.h"

#include <nlohmann/json.hpp>

#include <QTcpSocket>

#include <algorithm>

namespace weir::test {

FakeAgent::FakeAgent()
    : m_status(sampleStatus())
{
    if (!m_server.listen(QHostAddress::LocalHost)) qFatal("cannot listen on loopback");
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* socket = m_server.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { serve(socket); });
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        }
    });
}

QUrl FakeAgent::url() const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort()));
}

void FakeAgent::serve(QTcpSocket* socket)
{
    if (!socket->peek(65536).contains("\r\n\r\n")) return;
    const QList<QByteArray> line = socket->readAll().split('\n').first().split(' ');
    answer(socket, line.value(1));
}

void FakeAgent::answer(QTcpSocket* socket, const QByteArray& path)
{
    ++m_requests;
    if (m_refusal != 0) {
        socket->write(
            "HTTP/1.1 " + QByteArray::number(m_refusal) + " No\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    if (path == "/admin/v1/live") {
        socket->write(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
        m_streams.append(socket);
        emit streamOpened();
        return;
    }
    const QByteArray body = QByteArray::fromStdString(toJson(m_status).dump());
    socket->write(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
        QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

void FakeAgent::push()
{
    pushRaw(
        "event: snapshot\ndata: " + QByteArray::fromStdString(toJson(m_status).dump()) + "\n\n");
}

void FakeAgent::pushRaw(const QByteArray& bytes)
{
    for (const auto& stream : m_streams) {
        if (stream) stream->write(bytes);
    }
}

void FakeAgent::closeStreams()
{
    for (const auto& stream : m_streams) {
        if (stream) stream->disconnectFromHost();
    }
    m_streams.clear();
}

qsizetype FakeAgent::streams() const
{
    return std::ranges::count_if(m_streams, [](const auto& stream) { return !stream.isNull(); });
}

} // namespace weir::test
