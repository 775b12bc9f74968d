// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/golden_request.h"
#include "tests/protocol/json_mutation.h"

#include <algorithm>
#include <cstdint>
#include <random>

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed);

/// For the fuzz targets that read requests: mostly changes values, so that what comes is JSON, and
/// bytes now and then.
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed)
{
    using namespace weir::protocol;
    // The one cast that the interface asks for.
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
