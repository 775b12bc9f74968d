// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_signal.h"

namespace weir::routing {
namespace {

std::string oneDecimal(std::int64_t value, std::int64_t unit)
{
    const std::int64_t tenths = (value * 10 + unit / 2) / unit;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

} // namespace

std::string percentText(std::int64_t ppm)
{
    return oneDecimal(ppm, 10'000) + " %";
}

std::string timesText(std::int64_t ppm)
{
    return "x" + oneDecimal(ppm, 1'000'000);
}

} // namespace weir::routing
