// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/archive.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace weir::test {

/// An archive in the test's own thread: a job runs, on a real store, when the event loop comes to
/// it.
class DirectArchive final : public QObject, public model::Archive
{
    Q_OBJECT

public:
    explicit DirectArchive(const std::string& storeUrl);

    /// From now on every job is refused with this, or none.
    void refuse(std::optional<Error> error) { m_refusal = std::move(error); }

    /// Holds every job back until it is let go.
    void hold(bool isHeld);

    [[nodiscard]] store::Database& database() { return *m_database; }

    void post(Lane lane, Job job, Dropped dropped) override;

private:
    struct Posted
    {
        Job job;
        Dropped dropped;
    };

    void runAll();

    std::unique_ptr<store::Database> m_database;
    std::optional<Error> m_refusal;
    std::vector<Posted> m_posted;
    bool m_isHeld = false;
};

} // namespace weir::test
