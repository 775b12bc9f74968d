// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

namespace weir::run {

/// One line an event on standard error, UTC, `key=value`: for whoever collects logs. Nothing that
/// is logged holds a body or a key.
void startLog();

/// What a configuration had better not have, a warning each.
void logWarnings(const Config& config);

} // namespace weir::run
