// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/quality/mirror_report.h"

namespace weir::quality {

/// Fills in `advice`, `reason` and `needed` from the report's figures. Left out is what is shown to
/// be worse: where the whole interval of a difference lies beyond its margin, or (Wilson's
/// interval) that of the failures does. Promoted is what is shown not to be: where the interval of
/// the score lies inside its margin and no other figure is beyond its own. Everything else is still
/// open.
void advise(MirrorReport& report, const ParityRule& rule);

} // namespace weir::quality
