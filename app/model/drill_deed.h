// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/drill_plan.h"
#include "app/model/asked.h"
#include "app/model/deed.h"
#include "common/model/incident.h"

#include <optional>
#include <vector>

namespace weir::model {

/// Starts a drill: what to provoke, on which route, for how long, and what that would move.
class DrillDeed final : public Deed
{
    Q_OBJECT

public:
    /// `provider` is the first choice.
    DrillDeed(Console& console, std::string model, std::string provider, QObject* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString button() const override;
    [[nodiscard]] QStringList chips() const override;
    [[nodiscard]] QStringList effects() const override;
    [[nodiscard]] QStringList warnings() const override;
    [[nodiscard]] bool needsOverride() const override;
    void refresh() override;

    [[nodiscard]] const reports::DrillPlan& plan() const { return m_plan; }

    void setPlan(const reports::DrillPlan& plan);
    /// The routes that there are to choose from.
    [[nodiscard]] QStringList providers() const;

protected:
    [[nodiscard]] QString objection() const override;
    void write(const store::Authorship& by) override;

private:
    /// What has to be calm before something is provoked.
    struct Ground
    {
        Decisions decisions;
        std::vector<Incident> incidents;
    };

    [[nodiscard]] const ModelStatus* status() const;
    [[nodiscard]] std::optional<reports::DrillObjection> fault() const;
    [[nodiscard]] QString groundFault() const;
    [[nodiscard]] QString planFault() const;
    /// Why this is a bad moment; empty where nothing is known.
    [[nodiscard]] QString hazardText() const;
    void readGround();
    void settle();

    reports::DrillPlan m_plan;
    Asked<Ground> m_ground;
    UtcTime m_readAt{};
    Asked<Drill> m_write;
    std::optional<Drill> m_started;
};

/// Ends a running drill before its time.
class DrillEndDeed final : public Deed
{
    Q_OBJECT

public:
    DrillEndDeed(Console& console, Drill drill, QObject* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString button() const override;
    [[nodiscard]] QStringList chips() const override;
    [[nodiscard]] QStringList effects() const override;

protected:
    void write(const store::Authorship& by) override;

private:
    void settle();

    Drill m_drill;
    Asked<store::StoredDrill> m_write;
};

} // namespace weir::model
