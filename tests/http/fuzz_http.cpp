// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"
#include "tests/http/promises.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // The one cast that the interface asks for.
    const auto* const text = reinterpret_cast<const char*>(data);
    if (const auto broken = weir::http::promises::broken({text, size})) {
        std::fprintf(stderr, "broken promise: %s\n", broken->c_str());
        std::abort();
    }
    return 0;
}

/// Starts over from a message of the tables now and then, so that no corpus has to be kept.
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed)
{
    namespace messages = weir::http::messages;
    if (seed % 32 == 0) {
        const std::size_t index = seed / 32;
        const auto heads = index % 2 == 0 ? messages::requests() : messages::responses();
        const auto bodies = messages::bodies();
        const std::string bytes = index % 3 == 0
                                      ? messages::wire(bodies[index % bodies.size()].text)
                                      : messages::wire(heads[index % heads.size()].text);
        size = std::min(bytes.size(), maxSize);
        std::copy_n(bytes.begin(), size, data);
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}

} // extern "C"
