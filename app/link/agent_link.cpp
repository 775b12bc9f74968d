// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/agent_link.h"

#include "common/model/status_json.h"

#include <QNetworkReply>
#include <QNetworkRequest>

#include <algorithm>

namespace weir::link {
namespace {

QString troubleOf(const QNetworkReply& reply)
{
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status != 0 && status != 200) return QStringLiteral("HTTP status %1").arg(status);
    if (reply.error() == QNetworkReply::OperationCanceledError)
        return QStringLiteral("no answer in time");
    return reply.errorString();
}

} // namespace

AgentLink::AgentLink(QUrl agent, AgentLinkOptions options, QObject* parent)
    : QObject(parent)
    , m_agent(std::move(agent))
    , m_options(options)
    , m_backOffMs(options.backOffFirstMs)
{
    m_retry.setSingleShot(true);
    m_silence.setSingleShot(true);
    m_silence.setInterval(m_options.silenceMs);
    m_network.setAutoDeleteReplies(true);
    connect(&m_retry, &QTimer::timeout, this, &AgentLink::askStatus);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        fail(QStringLiteral("the live stream has been silent for %1 s")
                 .arg(m_options.silenceMs / 1000));
    });
}

AgentLink::~AgentLink()
{
    drop();
}

void AgentLink::start()
{
    askStatus();
}

void AgentLink::retryNow()
{
    if (!m_retry.isActive()) return;
    m_backOffMs = m_options.backOffFirstMs;
    m_retry.stop();
    askStatus();
}

QNetworkReply* AgentLink::get(const QString& path, int timeoutMs)
{
    QUrl url = m_agent;
    url.setPath(path);
    QNetworkRequest request(url);
    request.setTransferTimeout(timeoutMs);
    request.setAttribute(
        QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(
        QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    return m_network.get(request);
}

void AgentLink::askStatus()
{
    drop();
    m_asked.start();
    m_reply = get(QStringLiteral("/admin/v1/status"), m_options.requestTimeoutMs);
    connect(m_reply, &QNetworkReply::finished, this, [this] {
        QNetworkReply* reply = m_reply;
        m_reply = nullptr;
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        if (reply->error() != QNetworkReply::NoError || status != 200) {
            fail(troubleOf(*reply));
            return;
        }
        const double latencyMs = static_cast<double>(m_asked.nsecsElapsed()) / 1e6;
        const auto parsed = statusFromJson(reply->readAll().toStdString());
        if (!parsed) {
            fail(QString::fromStdString(parsed.error().text()));
            return;
        }
        emit reached(latencyMs);
        emit statusRead(std::make_shared<const AgentStatus>(*parsed));
        openStream();
    });
}

void AgentLink::openStream()
{
    m_reader = {};
    m_reply = get(QStringLiteral("/admin/v1/live"), 0);
    m_silence.start();
    connect(m_reply, &QNetworkReply::readyRead, this, &AgentLink::readStream);
    connect(m_reply, &QNetworkReply::finished, this, [this] {
        const QString trouble = m_reply->error() == QNetworkReply::NoError
                                    ? QStringLiteral("it closed the live stream")
                                    : troubleOf(*m_reply);
        m_reply = nullptr;
        fail(trouble);
    });
}

void AgentLink::readStream()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status != 200) return;
    const auto events = m_reader.read(m_reply->readAll());
    if (!events) {
        fail(QStringLiteral("the live stream sends more than a snapshot can hold"));
        return;
    }
    for (const SseReader::Event& event : *events) {
        if (event.name == "snapshot") deliver(event.data);
    }
}

void AgentLink::deliver(const QByteArray& json)
{
    const auto parsed =
        statusFromJson(std::string_view(json.constData(), static_cast<std::size_t>(json.size())));
    // One that cannot be read is left out; if none can, the silence ends the stream.
    if (!parsed) return;
    m_silence.start();
    m_backOffMs = m_options.backOffFirstMs;
    emit statusRead(std::make_shared<const AgentStatus>(*parsed));
}

void AgentLink::fail(const QString& trouble)
{
    drop();
    const int pauseMs = m_backOffMs;
    m_backOffMs = std::min(m_backOffMs * 2, m_options.backOffLastMs);
    m_retry.start(pauseMs);
    emit lost(trouble, (pauseMs + 999) / 1000);
}

void AgentLink::drop()
{
    m_silence.stop();
    if (!m_reply) return;
    QNetworkReply* reply = m_reply;
    m_reply = nullptr;
    reply->disconnect(this);
    reply->abort();
}

} // namespace weir::link
