// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/time.h"

#include <functional>

namespace weir::model {

/// The wall clock, handed in by main: tests and screenshots turn it themselves.
using Clock = std::function<UtcTime()>;

} // namespace weir::model
