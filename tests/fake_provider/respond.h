// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/plan.h"
#include "tests/fake_provider/wire.h"

namespace weir::fake {

enum class After {
    KeepOpen, // the answer is complete, the connection may serve the next request
    Finish,   // the answer ends with the connection
    Closed,   // the script ended the connection itself
    PeerGone, // the client left before the end
};

/// Sends the planned answer, with what the script lets go wrong. `lastOfConnection` adds
/// "Connection: close".
[[nodiscard]] net::awaitable<After>
respond(Wire& wire, const Script& script, const Plan& plan, bool lastOfConnection);

/// A plain JSON answer of the control requests.
[[nodiscard]] net::awaitable<After> respondJson(Wire& wire, int status, const std::string& body);

} // namespace weir::fake
