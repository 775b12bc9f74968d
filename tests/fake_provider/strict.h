// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/request.h"

namespace weir::fake {

/// Refuses what the real provider refuses, in its words as far as they are known. The error's code
/// is OpenAI's `code` ("bad_request": none), `where` the parameter.
[[nodiscard]] Status<>
checkStrictly(const Ask& ask, const Caller& caller, std::string_view body, const Script& script);

} // namespace weir::fake
