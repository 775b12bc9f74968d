// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/body_buffer.h"
#include "common/model/config.h"

#include <string_view>

namespace weir::proxy {

/// The client's request with the answer so far at its end, for a route of that protocol that goes
/// on from there. `body` has its padding behind it; `text` is as between the quotes of a JSON
/// string. Empty where the request has no messages or ends in an answer that the client began.
[[nodiscard]] BodyBuffer
continuedRequest(std::string_view body, std::string_view text, Protocol route);

} // namespace weir::proxy
