// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/sse.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// fuzz_sse -max_total_time=60 /tmp/corpus tests/protocol/golden/streams
// However the bytes come in, the events are the same, and nothing of them is lost.

using namespace weir::protocol;

namespace {

struct Event
{
    std::string raw;
    std::string name;
    std::string data;
    bool commentOnly = false;

    bool operator==(const Event&) const = default;
};

struct Seen
{
    std::vector<Event> events;
    std::string rest;

    bool operator==(const Seen&) const = default;
};

Seen read(std::string_view bytes, std::size_t step)
{
    SseFramer framer{bytes.size() + 1};
    Seen seen;
    const auto take = [&seen](const SseEvent& event) {
        seen.events.push_back(
            {std::string{event.raw},
             std::string{event.name},
             std::string{event.data},
             event.commentOnly});
    };
    SseEvent event;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        // A copy of its own, so that a sanitizer sees a view that outlives its bytes.
        const std::string piece{bytes.substr(at, step)};
        framer.feed(piece);
        while (framer.next(event))
            take(event);
    }
    seen.rest = framer.rest();
    if (framer.finish(event)) take(event);
    return seen;
}

void promise(bool kept, const char* what)
{
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

} // namespace

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    // The one cast that the interface asks for.
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const Seen whole = read(bytes, size);
    promise(read(bytes, 1) == whole, "byte by byte the events are the same");
    promise(read(bytes, 1 + data[size / 2] % size) == whole, "in pieces the events are the same");
    std::string raw;
    for (const Event& event : whole.events)
        raw += event.raw;
    promise(raw == bytes, "the events are all the bytes");
    return 0;
}

} // extern "C"
