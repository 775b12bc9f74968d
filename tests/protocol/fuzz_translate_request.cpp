// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_request.h"
#include "tests/protocol/translation_promises.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// fuzz_translate_request -max_total_time=60 /tmp/corpus tests/protocol/golden/requests
// Its inputs are bodies, or have the form of the golden files: new finds go to the first folder.

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace weir;
    // The one cast that the interface asks for.
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const Protocol client : {Protocol::OpenAi, Protocol::Anthropic}) {
        const auto promise = protocol::promises::broken(client, protocol::golden::requestIn(text));
        if (!promise) continue;
        std::fprintf(stderr, "broken promise: %s\n", promise->c_str());
        std::abort();
    }
    return 0;
}

} // extern "C"
