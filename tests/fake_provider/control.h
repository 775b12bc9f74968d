// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/provider.h"

#include <string>
#include <string_view>

namespace weir::fake {

struct Incoming;

struct ControlAnswer
{
    int status = 200;
    std::string body;
    bool scriptChanged = false;
};

/// The fake's own paths start with "/_".
[[nodiscard]] bool isControl(std::string_view target);

/// POST /_control, POST /_reset, GET /_stats, GET /_requests?limit=N.
[[nodiscard]] ControlAnswer control(Provider& provider, const Incoming& incoming);

} // namespace weir::fake
