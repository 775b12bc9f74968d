// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/translated_error.h"
#include "tests/protocol/golden_failure.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// fuzz_classify -max_total_time=60 /tmp/corpus tests/protocol/golden/failures
// Its inputs have the form of the golden files: new finds go to the first folder.

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr UtcTime kNow{std::chrono::seconds{1796032800}};
/// With a parameter's name in front.
constexpr std::size_t kMessageBytesMax = 2 * 16384;

void promise(bool kept, const char* what)
{
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

/// What every client can rely on, whatever a provider sends.
void checkError(const ApiError& error)
{
    promise(error.status >= 400 && error.status <= 599, "an error has a status of its own");
    promise(!error.message.empty(), "an error says something");
    promise(error.message.size() <= kMessageBytesMax, "a message is bounded");
    for (const Protocol protocol : {Protocol::OpenAi, Protocol::Anthropic}) {
        const std::string body = errorBody(protocol, error);
        const auto document = nlohmann::json::parse(body, nullptr, false);
        promise(document.is_object(), "an error body is JSON");
        promise(document["error"]["message"].is_string(), "an error body has a message");
        const std::string event = errorEvent(conversationApi(protocol), error);
        promise(event.find('\n', event.find("data: ")) == event.size() - 2, "an event is one line");
    }
}

} // namespace

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // The one cast that the interface asks for.
    const auto golden = golden::readFailureCase({reinterpret_cast<const char*>(data), size});
    const Failure failure = classify(golden.status, golden.fields, golden.body, kNow);
    checkError(failure.error);
    checkError(translated(failure, Protocol::OpenAi, Protocol::Anthropic));
    checkError(translated(failure, Protocol::Anthropic, Protocol::OpenAi));
    promise(!failure.retryAfter || failure.retryAfter->count() >= 0, "nobody waits for the past");
    promise(!isSuccess(failure.outcome), "a refusal is no success");
    return 0;
}

} // extern "C"
