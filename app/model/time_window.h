// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/time_series.h"
#include "common/base/time.h"

#include <QObject>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace weir::model {

/// The stretch of time that all charts of a page show, and the time that the crosshair points at.
class TimeWindow final : public QObject
{
    Q_OBJECT

public:
    struct Preset
    {
        Ms length;
        const char* name;
    };

    using QObject::QObject;

    [[nodiscard]] static std::span<const Preset> presets();

    void setLength(Ms length);
    /// Pauses at this stretch; what was shown before comes back with `showPrevious`.
    void show(Span range);
    /// False where there is nothing before.
    bool showPrevious();
    void pause(UtcTime now);
    void resume();
    void pointAt(std::optional<Ms> time);
    /// Moves the crosshair by so many hundredths of the range, from the right edge where it was
    /// unset.
    void nudge(int hundredths, UtcTime now);

    [[nodiscard]] Ms length() const { return m_length; }

    [[nodiscard]] bool isPaused() const { return m_pausedAt.has_value(); }

    [[nodiscard]] std::optional<Ms> crosshair() const { return m_crosshair; }

    /// Ends at the whole second before `now`, or where it was paused.
    [[nodiscard]] Span span(UtcTime now) const;
    /// "LIVE" or "PAUSED · 38 s behind".
    [[nodiscard]] QString stateText(UtcTime now) const;

signals:
    void changed();
    void crosshairMoved();

private:
    Ms m_length = 15 * 60'000;

    struct View
    {
        Ms length;
        std::optional<UtcTime> pausedAt;
    };

    std::optional<UtcTime> m_pausedAt;
    std::vector<View> m_previous;
    std::optional<Ms> m_crosshair;
};

} // namespace weir::model
