// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/attempt_result.h"

#include <string>
#include <vector>

namespace weir::proxy {

/// An error answer, ready but for its head.
struct FailureAnswer
{
    int status = 502;
    std::string contentType = "application/json";
    std::string passed;
    std::string body;
};

/// Which of the attempts' failures tells the client most (wire case B009): the last one that a
/// provider put into words, else the last. `results` is not empty.
[[nodiscard]] std::size_t mostTelling(const std::vector<AttemptResult>& results);

/// The answer to a client whose request failed in that way: the provider's own status and body
/// where it gave one, else 502 or 504 in the client's protocol (wire case B019). A refusal of our
/// own key is told without the provider's words, which may quote the key.
[[nodiscard]] FailureAnswer
failureAnswer(Protocol protocol, const ProviderConfig& provider, AttemptResult& result);

} // namespace weir::proxy
