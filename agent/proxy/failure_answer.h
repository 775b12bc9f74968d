// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/attempt_result.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

/// The key of one of the providers stands in the text.
[[nodiscard]] bool quotesKey(
    const std::map<std::string, ProviderConfig, std::less<>>& providers, std::string_view text);

/// Which of the attempts' failures tells the client most (wire cases B009, B010). `results` is not
/// empty. What is the caller's own doing comes first; then what passes by itself, which a window
/// that is too small elsewhere must not hide; then that window; then what only our operator can
/// mend; last, failures without a provider's words. Of equals the last one.
[[nodiscard]] std::size_t mostTelling(const std::vector<AttemptResult>& results);

/// What a client is told about another try (contract section 2, response headers).
struct Advice
{
    std::optional<std::chrono::milliseconds> retryAfter;
    std::optional<bool> shouldRetry;
};

/// Retry-After, where waiting helps: the smallest hint of the routes whose failure passes by
/// itself; a second, so that nobody hammers, where `telling` is a rate limit or load and none gave
/// one. `x-should-retry`: the provider's own word where `telling` has one; `false` where another
/// try is useless: the caller's own doing, nothing that passes by itself, or a wait above 60 s,
/// which the SDKs do not keep but replace by a short one of their own. Else nothing: a client then
/// goes by the status.
[[nodiscard]] Advice adviceFor(const std::vector<AttemptResult>& results, std::size_t telling);

/// Puts the operator's words in the place of the provider's; status and kind stay.
void tellInstead(AttemptResult& result, std::string_view text);

/// The answer to a client whose request failed in that way: the provider's own status and body
/// where it gave one, else 502 or 504 in the client's protocol (wire case B019). A refusal of our
/// own key is told without the provider's words, which may quote the key.
[[nodiscard]] FailureAnswer
failureAnswer(Protocol protocol, const ProviderConfig& provider, AttemptResult& result);

} // namespace weir::proxy
