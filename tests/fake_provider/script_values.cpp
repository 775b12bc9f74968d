// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/script_values.h"

namespace weir::fake {

Result<Spread> spreadFrom(const Json& value)
{
    const auto shape =
        wrongValue("must be a number or {\"median\": M, \"sigma\": S}, not negative");
    Spread spread;
    if (value.is_number()) {
        spread.median = value.get<double>();
    } else if (value.is_object()) {
        for (const auto& [name, part] : value.items()) {
            if (!part.is_number() || (name != "median" && name != "sigma")) return shape;
            (name == "median" ? spread.median : spread.sigma) = part.get<double>();
        }
    } else {
        return shape;
    }
    if (!(spread.median >= 0) || !(spread.sigma >= 0)) return shape;
    return spread;
}

} // namespace weir::fake
