// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/time_series.h"
#include "common/model/status.h"
#include "common/model/store_rows.h"

#include <string>
#include <vector>

namespace weir::model {

/// What charts show of a provider.
enum class Quantity : std::uint8_t {
    Share,
    TtftP50S,
    Rps,
    FailureShare,
    /// Requests a second that the gate lets through; only the live stream knows it.
    PermittedRps,
    RateLimitedShare,
};
inline constexpr std::size_t kQuantityCount = 6;

/// The past of one model: every provider's quantities at common times, as the live stream told them
/// and, for the time before, as the store's ten-second slices tell. What is not known is NaN.
class History final
{
public:
    /// Appends what a snapshot says of the model, one second's step. Not newer than the last:
    /// ignored.
    void append(const ModelStatus& status, UtcTime at);

    /// Puts the store's slices of one step into the stretch where nothing is known yet: live values
    /// are averages over a minute, so slices are summed over the minute before each, or over the
    /// step where that is longer. A slice that is not there is a time without traffic, not a
    /// missing measurement.
    void backfill(const std::vector<RouteSlice>& slices, Span covered, Ms step);

    void dropBefore(Ms time);

    /// By name: a provider has the same colour whichever came first, the store or the live stream.
    [[nodiscard]] const std::vector<std::string>& providers() const { return m_providers; }

    [[nodiscard]] const std::vector<Ms>& times() const { return m_times; }

    /// Beside each time, the interval to the one before that was to be expected.
    [[nodiscard]] const std::vector<Ms>& steps() const { return m_steps; }

    [[nodiscard]] Column column(std::size_t provider, Quantity quantity) const;
    /// NaN where nothing is known at `time`.
    [[nodiscard]] double valueAt(std::size_t provider, Quantity quantity, Ms time) const;

private:
    struct Provider
    {
        std::vector<double> columns[kQuantityCount];
    };

    std::size_t indexOf(const std::string& provider);
    void addRow(Ms time, Ms step);
    void copyRow(const History& from, std::size_t row);

    std::vector<std::string> m_providers;
    std::vector<Provider> m_data;
    std::vector<Ms> m_times;
    std::vector<Ms> m_steps;
};

} // namespace weir::model
