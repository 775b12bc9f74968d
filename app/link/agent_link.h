// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/sse_reader.h"
#include "common/model/status.h"

#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QUrl>

#include <memory>

class QNetworkReply;

namespace weir::link {

/// The bounds of an agent's connection; tests shorten them.
struct AgentLinkOptions
{
    int requestTimeoutMs = 3'000;
    /// Snapshots come once a second: a stream silent for so long is dead.
    int silenceMs = 5'000;
    int backOffFirstMs = 1'000;
    int backOffLastMs = 30'000;
};

/// One agent's admin HTTP: its status at once, then its live stream, and again with growing pauses
/// when it is gone. Asynchronous, in the thread that made it.
class AgentLink final : public QObject
{
    Q_OBJECT

public:
    explicit AgentLink(QUrl agent, AgentLinkOptions options = {}, QObject* parent = nullptr);
    ~AgentLink() override;

    void start();
    /// Tries now instead of at the end of the pause.
    void retryNow();

signals:
    void statusRead(const std::shared_ptr<const weir::AgentStatus>& status);
    /// It answered a status request in so many milliseconds.
    void reached(double latencyMs);
    void lost(const QString& trouble, int retryInS);

private:
    void askStatus();
    void openStream();
    void readStream();
    void fail(const QString& trouble);
    void drop();
    void deliver(const QByteArray& json);
    [[nodiscard]] QNetworkReply* get(const QString& path, int timeoutMs);

    QUrl m_agent;
    AgentLinkOptions m_options;
    QNetworkAccessManager m_network;
    QPointer<QNetworkReply> m_reply;
    SseReader m_reader;
    QTimer m_retry;
    QTimer m_silence;
    QElapsedTimer m_asked;
    int m_backOffMs = 0;
};

} // namespace weir::link
