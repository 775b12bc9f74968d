// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/model/status.h"

#include <QList>
#include <QObject>
#include <QPointer>
#include <QTcpServer>
#include <QUrl>

class QTcpSocket;

namespace weir::test {

/// Speaks an agent's admin HTTP on loopback: the status, and a live stream that the test feeds.
class FakeAgent final : public QObject
{
    Q_OBJECT

public:
    FakeAgent();

    [[nodiscard]] QUrl url() const;

    void setStatus(const AgentStatus& status) { m_status = status; }

    /// Answers every request with this status code instead.
    void refuseWith(int code) { m_refusal = code; }

    /// Sends the status as a snapshot to every open stream.
    void push();
    /// Sends these bytes as they are.
    void pushRaw(const QByteArray& bytes);
    void closeStreams();

    [[nodiscard]] int requests() const { return m_requests; }

    [[nodiscard]] qsizetype streams() const;

signals:
    void streamOpened();

private:
    void serve(QTcpSocket* socket);
    void answer(QTcpSocket* socket, const QByteArray& path);

    QTcpServer m_server;
    AgentStatus m_status;
    QList<QPointer<QTcpSocket>> m_streams;
    int m_refusal = 0;
    int m_requests = 0;
};

} // namespace weir::test
