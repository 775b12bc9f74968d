// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/direct_archive.h"

#include "agent/store/open.h"

#include <utility>

namespace weir::test {

DirectArchive::DirectArchive(const std::string& storeUrl)
{
    store::OpenOptions options;
    options.use = store::Use::Tool;
    options.host = "devbox";
    auto opened = store::open(storeUrl, {}, options);
    if (!opened) qFatal("cannot open the store: %s", opened.error().text().c_str());
    m_database = std::move(*opened);
}

void DirectArchive::hold(bool isHeld)
{
    m_isHeld = isHeld;
    QMetaObject::invokeMethod(this, &DirectArchive::runAll, Qt::QueuedConnection);
}

void DirectArchive::post(Lane, Job job, Dropped dropped)
{
    m_posted.push_back({std::move(job), std::move(dropped)});
    QMetaObject::invokeMethod(this, &DirectArchive::runAll, Qt::QueuedConnection);
}

void DirectArchive::runAll()
{
    if (m_isHeld) return;
    for (const Posted& posted : std::exchange(m_posted, {})) {
        if (*posted.dropped) continue;
        Result<store::Database*> database = m_database.get();
        if (m_refusal) database = tl::unexpected(*m_refusal);
        posted.job(database)();
    }
}

} // namespace weir::test
