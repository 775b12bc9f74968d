// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/tidy/house.h"

namespace weir::tidy {

/// The sample with the opening that its folder asks for, so that a row shows the rule alone.
[[nodiscard]] std::string opened(const std::string& path, const std::string& body);

/// Every rule over a tree of this one file and a CMakeLists.txt that names it.
[[nodiscard]] Findings checkSample(
    const std::string& path, std::string text, const std::vector<Allowance>& allowances = {});

[[nodiscard]] Findings checkSamples(const std::vector<Source>& tree);

[[nodiscard]] std::string reportOf(const Findings& findings);

/// "rule@line rule@line", once each.
[[nodiscard]] std::string rulesOf(const Findings& findings);

/// The same for a body that is given its opening first.
[[nodiscard]] std::string rulesOf(const std::string& path, const std::string& body);

/// A table of samples: their columns, a row, and what the test does with each row.
void columns();
void row(const char* name, const char* path, const std::string& body);

/// The row's sample breaks this rule, in its first line, and no other.
void expectRule(const std::string& rule);
void expectNothing();

} // namespace weir::tidy
