// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/deed.h"

namespace weir::model {

/// Takes a route out of service, or back into it.
class RouteDeed final : public Deed
{
    Q_OBJECT

public:
    RouteDeed(
        Console& console,
        std::string model,
        std::string provider,
        bool enable,
        QObject* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString button() const override;
    [[nodiscard]] QStringList chips() const override;
    [[nodiscard]] QStringList effects() const override;
    [[nodiscard]] QStringList warnings() const override;
    [[nodiscard]] bool needsOverride() const override;

protected:
    [[nodiscard]] QString objection() const override;
    void write(const store::Authorship& by) override;

private:
    using Written = store::Write<RouteSettings>;

    [[nodiscard]] const ModelStatus* status() const;
    [[nodiscard]] QString doneText() const;
    /// The row as it was read, or as nobody has written it yet.
    [[nodiscard]] RouteSettings row() const;
    [[nodiscard]] bool isLast() const;
    void settle();

    std::string m_model;
    std::string m_provider;
    bool m_enable;
    Asked<Decisions> m_decisions;
    Asked<Written> m_write;
    /// Whoever wrote it last, where that was while the dialog stood open.
    std::optional<RouteSettings> m_newest;
};

} // namespace weir::model
