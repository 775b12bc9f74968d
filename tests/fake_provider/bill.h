// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/plan.h"
#include "tests/fake_provider/script.h"

#include <cstdint>
#include <optional>

namespace weir::fake {

/// What answers cost, by the script's `price`: computed here, without the code of those whose
/// ledgers are compared with it. Micro-dollars are rounded half up, answer by answer.
struct Bill
{
    std::uint64_t calls = 0;
    std::uint64_t inputUncached = 0;
    std::uint64_t inputCached = 0;
    std::uint64_t cacheWrite = 0;
    std::uint64_t output = 0;
    std::uint64_t microUsd = 0;

    Bill& operator+=(const Bill& other);
};

/// The bill of one answer, to be sent once the answer was; nothing where none was given.
[[nodiscard]] std::optional<Bill> billOf(const Script& script, const Plan& plan);

} // namespace weir::fake
