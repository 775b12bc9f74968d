// SPDX-License-Identifier: Apache-2.0
#include "common/routing/survival.h"

#include "common/base/histogram.h"

#include <algorithm>
#include <cmath>

namespace weir::routing {
namespace {

/// Below this many samples nothing is left but rounding.
constexpr double kNothing = 1e-9;
constexpr double kTail = 0.01;

LevelTable makeTable()
{
    LevelTable table;
    for (std::size_t i = 0; i < table.value.size(); ++i) {
        table.value[i] = static_cast<double>(histogramMiddle(i));
        table.ln[i] = std::log(std::max(table.value[i], 0.5));
    }
    return table;
}

} // namespace

const LevelTable& levelTable()
{
    static const LevelTable kTable = makeTable();
    return kTable;
}

void Survival::step(double x, double ln, double whole, double cut)
{
    if (whole + cut <= 0) return;
    m_lastX = x;
    m_lastLn = ln;
    if (whole > 0 && m_atRisk > kNothing) {
        const double drop = whole >= m_atRisk - kNothing ? m_left : m_left * whole / m_atRisk;
        m_left -= drop;
        m_lnSum += drop * ln;
        m_lnSquares += drop * ln * ln;
        if (!m_capped) {
            m_sum += drop * x;
            m_capped = m_left <= kTail + kNothing;
            if (m_capped) m_sum += m_left * x;
        }
    }
    m_atRisk -= whole + cut;
}

double Survival::mean() const
{
    return m_capped ? m_sum : m_sum + m_left * m_lastX;
}

double Survival::lnMean() const
{
    return m_lnSum + m_left * m_lastLn;
}

double Survival::lnVariance() const
{
    const double mean = lnMean();
    return std::max(0.0, m_lnSquares + m_left * m_lastLn * m_lastLn - mean * mean);
}

} // namespace weir::routing
