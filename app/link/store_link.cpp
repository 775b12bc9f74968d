// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_link.h"

#include "app/link/store_reader.h"

namespace weir::link {

StoreLink::StoreLink(StoreOptions options, QObject* parent)
    : QObject(parent)
    , m_reader(new StoreReader(std::move(options)))
{
    m_thread.setObjectName(QStringLiteral("store"));
    m_reader->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, m_reader, &StoreReader::start);
    connect(&m_thread, &QThread::finished, m_reader, &QObject::deleteLater);
    connect(m_reader, &StoreReader::reached, this, &StoreLink::reached);
    connect(m_reader, &StoreReader::lost, this, &StoreLink::lost);
    connect(m_reader, &StoreReader::switchRead, this, &StoreLink::switchRead);
    connect(m_reader, &StoreReader::settingsRead, this, &StoreLink::settingsRead);
    connect(m_reader, &StoreReader::agentsRead, this, &StoreLink::agentsRead);
    connect(m_reader, &StoreReader::auditRead, this, &StoreLink::auditRead);
    connect(m_reader, &StoreReader::historyRead, this, &StoreLink::historyRead);
    connect(m_reader, &StoreReader::historyComplete, this, &StoreLink::historyComplete);
    connect(m_reader, &StoreReader::settled, this, &StoreLink::settled);
}

StoreLink::~StoreLink()
{
    if (!m_thread.isRunning()) {
        delete m_reader;
        return;
    }
    m_thread.quit();
    m_thread.wait();
}

void StoreLink::start()
{
    m_thread.start();
}

void StoreLink::retryNow()
{
    QMetaObject::invokeMethod(m_reader, [reader = m_reader] { reader->retryNow(); });
}

void StoreLink::turn(const SwitchChange& change)
{
    QMetaObject::invokeMethod(m_reader, [reader = m_reader, change] { reader->turn(change); });
}

void StoreLink::readHistory(UtcTime from, UtcTime to)
{
    QMetaObject::invokeMethod(
        m_reader, [reader = m_reader, from, to] { reader->readHistory(from, to); });
}

} // namespace weir::link
