// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_request.h"
#include "tests/protocol/json_mutation.h"
#include "tests/protocol/translation_promises.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

// fuzz_translate_request -max_total_time=60 /tmp/corpus tests/protocol/golden/requests
// Its inputs are bodies, or have the form of the golden files: new finds go to the first folder.

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed);

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

/// Mostly changes values, so that what comes is JSON; bytes now and then.
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed)
{
    using namespace weir::protocol;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    std::mt19937 random(seed);
    const std::string changed = mutatedJson(golden::requestIn(text), random);
    if (seed % 8 == 0 || changed.empty() || changed.size() > maxSize) {
        return LLVMFuzzerMutate(data, size, maxSize);
    }
    std::copy(changed.begin(), changed.end(), data);
    return changed.size();
}

} // extern "C"
