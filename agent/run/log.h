// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir::run {

/// One line an event on standard error, UTC, `key=value`: for whoever collects logs. Nothing that
/// is logged holds a body or a key.
void startLog();

} // namespace weir::run
