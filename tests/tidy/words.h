// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/tidy/finding.h"
#include "tests/tidy/source.h"

namespace weir::tidy {

/// Words that must not stand in the code of certain folders, each with what to write instead.
/// Comments and literals do not count.
[[nodiscard]] Findings checkWords(const Source& source);

/// A log line must never carry a key: no call that prints may name one.
[[nodiscard]] Findings checkSecrets(const Source& source);

/// What must stand in no text file at all: unfinished work, paths of one machine, hosts of package
/// registries. `checkout` is the folder the tree lies in, as seen from this machine.
[[nodiscard]] Findings checkText(const Source& source, const std::string& checkout);

} // namespace weir::tidy
