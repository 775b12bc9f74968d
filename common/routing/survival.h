// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace weir::routing {

/// Value and natural logarithm of each level of the sketch.
struct LevelTable
{
    std::array<double, 1664> value{};
    std::array<double, 1664> ln{};
};

[[nodiscard]] const LevelTable& levelTable();

/// Mean of samples some of which were cut short: of those only "at least so much" is known. Their
/// weight goes to the larger samples (Kaplan and Meier, 1958), or stays where they were cut when
/// there is none: leaving them out makes a route look fast that nobody waits for. Fed in rising
/// order of `x`, whole ones before cut ones of the same value.
class Survival final
{
public:
    /// How many samples will come.
    explicit Survival(double count)
        : m_atRisk(count)
    {
    }

    void step(double x, double ln, double whole, double cut);

    /// Winsorised at the 99th percentile. These three: once, at the end.
    [[nodiscard]] double mean() const;
    /// Of the logarithms.
    [[nodiscard]] double lnMean() const;
    [[nodiscard]] double lnVariance() const;

private:
    double m_atRisk;
    double m_left = 1;
    bool m_capped = false;
    double m_sum = 0;
    double m_lnSum = 0;
    double m_lnSquares = 0;
    double m_lastX = 0;
    double m_lastLn = 0;
};

} // namespace weir::routing
