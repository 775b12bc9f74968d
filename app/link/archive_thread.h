// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/archive.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <string>
#include <vector>

namespace weir::link {

/// The archive on a real store: a thread and a connection of its own for each lane. A lane connects
/// with its first job, and a file anew when it was replaced.
class ArchiveThread final : public QObject, public model::Archive
{
    Q_OBJECT

public:
    using QObject::QObject;
    /// Nobody waits for a server any more; a file's job in hand ends first.
    ~ArchiveThread() override;

    /// What was asked before waits until now. `storeUrl` as the store's own `open` takes it; may
    /// hold a password, and is never shown.
    void start(const std::string& storeUrl);

    void post(Lane lane, Job job, Dropped dropped) override;

private:
    class Worker;

    struct Waiting
    {
        Lane lane;
        Job job;
        Dropped dropped;
    };

    struct Thread
    {
        QThread thread;
        /// Lives in `thread` and is deleted there.
        Worker* worker = nullptr;
    };

    static void start(Thread& lane, const std::string& storeUrl);
    static void stop(Thread& lane);

    std::vector<Waiting> m_waiting;
    Thread m_reads;
    Thread m_writes;
};

} // namespace weir::link
