// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/bill.h"

namespace weir::fake {

namespace {

constexpr std::uint64_t kPicoPerMicro = 1'000'000;

} // namespace

Bill& Bill::operator+=(const Bill& other)
{
    calls += other.calls;
    inputUncached += other.inputUncached;
    inputCached += other.inputCached;
    cacheWrite += other.cacheWrite;
    output += other.output;
    microUsd += other.microUsd;
    return *this;
}

std::optional<Bill> billOf(const Script& script, const Plan& plan)
{
    const bool isAnswer = plan.status == 200 && plan.fault == Fault::None && !script.body;
    if (!isAnswer || plan.endpoint == Endpoint::Models) return std::nullopt;
    Bill bill;
    bill.calls = 1;
    bill.inputCached = plan.usage.cached;
    // Chat Completions has no word for what was written to the cache, so it is plain input there.
    const bool isChat = plan.endpoint == Endpoint::Chat && plan.protocol == Protocol::OpenAi;
    bill.cacheWrite = isChat ? 0 : plan.usage.created;
    bill.inputUncached = plan.usage.input - bill.inputCached - bill.cacheWrite;
    bill.output = plan.usage.output;
    const std::uint64_t pico =
        bill.inputUncached * script.price.input + bill.inputCached * script.price.cachedInput +
        bill.cacheWrite * script.price.cacheWrite + bill.output * script.price.output;
    bill.microUsd = (pico + kPicoPerMicro / 2) / kPicoPerMicro;
    return bill;
}

} // namespace weir::fake
