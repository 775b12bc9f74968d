// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/answer.h"
#include "agent/protocol/request.h"
#include "agent/protocol/translate_answer.h"
#include "tests/protocol/answer_mutation.h"
#include "tests/protocol/golden_answer.h"
#include "tests/protocol/stream_promises.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// fuzz_answer -max_total_time=60 /tmp/corpus tests/protocol/golden/streams
//     tests/protocol/golden/answers
// Its inputs have the form of the golden files: new finds go to the first folder.

using namespace weir;
using namespace weir::protocol;

namespace {

constexpr UtcTime kNow{std::chrono::seconds{1796032800}};

void promise(bool kept, const char* what)
{
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

struct Seen
{
    std::string bytes;
    std::string finish;
    std::string usage;
    std::int64_t outputEvents = 0;
    bool isComplete = false;
    bool isFailed = false;

    bool operator==(const Seen&) const = default;
};

Seen readStream(const golden::AnswerCase& golden, std::size_t step)
{
    StreamReader reader{golden.upstream, golden.options()};
    Seen seen;
    std::vector<std::string_view> relay;
    const auto take = [&seen, &relay] {
        for (const std::string_view piece : relay)
            seen.bytes += piece;
        relay.clear();
    };
    const std::string_view bytes = golden.upstreamBytes;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const std::string piece{bytes.substr(at, step)};
        reader.feed(piece, kNow, relay);
        take();
    }
    reader.atEnd(kNow, relay);
    reader.finish(relay);
    take();
    seen.finish = reader.finishReason();
    seen.usage = golden::shownUsage(reader.usage());
    seen.outputEvents = reader.outputEvents();
    seen.isFailed = reader.failure().has_value();
    seen.isComplete = reader.isComplete() && !seen.isFailed;
    return seen;
}

void checkStream(const golden::AnswerCase& golden, std::size_t step)
{
    const std::size_t size = golden.upstreamBytes.size();
    const Seen whole = readStream(golden, std::max<std::size_t>(size, 1));
    promise(readStream(golden, 1) == whole, "byte by byte the stream is the same");
    promise(readStream(golden, step) == whole, "in pieces the stream is the same");
    if (!golden.isTranslated()) return;
    auto broken = promises::broken(golden.client, whole.bytes, whole.isComplete);
    // It may have failed behind its end.
    if (broken && whole.isFailed) broken = promises::broken(golden.client, whole.bytes, true);
    if (broken) std::fprintf(stderr, "%s\n%s\n", broken->c_str(), whole.bytes.c_str());
    promise(!broken, "a client can read the stream");
}

void checkAnswer(Api api, std::string_view body)
{
    const auto padded = std::make_unique<char[]>(body.size() + kBodyPadding);
    std::copy(body.begin(), body.end(), padded.get());
    const std::string_view text{padded.get(), body.size()};
    const AnswerFacts facts = readAnswer(api, text, kNow);
    promise(
        facts.failure.has_value() || isSuccess(facts.outcome) || facts.outcome == Outcome::Refused,
        "an answer is good or has failed");
    if (facts.failure || (api != Api::ChatCompletions && api != Api::Messages)) return;
    const auto translated = translateAnswer(protocolOf(api), text, kNow);
    if (translated) promise(promises::isJson(*translated), "a translated answer is JSON");
}

} // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // The one cast that the interface asks for.
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    golden::AnswerCase golden = golden::readAnswerCase(text);
    for (const Api api : {Api::ChatCompletions, Api::Messages, Api::Responses, Api::Embeddings})
        checkAnswer(api, golden.upstreamBytes);
    checkStream(golden, 1 + size % 61);
    golden.client = golden.client == Protocol::OpenAi ? Protocol::Anthropic : Protocol::OpenAi;
    checkStream(golden, 1 + size % 13);
    return 0;
}

/// Mostly changes values and events, so that what comes can be read, and bytes now and then.
std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed)
{
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    std::mt19937 random(seed);
    const std::string changed = mutatedAnswer(text, random);
    if (seed % 8 == 0 || changed.empty() || changed.size() > maxSize) {
        return LLVMFuzzerMutate(data, size, maxSize);
    }
    std::copy(changed.begin(), changed.end(), data);
    return changed.size();
}

} // extern "C"
