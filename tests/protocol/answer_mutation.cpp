// SPDX-License-Identifier: Apache-2.0
#include "tests/protocol/answer_mutation.h"

#include "tests/protocol/json_mutation.h"

#include <algorithm>
#include <vector>

namespace weir::protocol {
namespace {

constexpr std::string_view kData = "data: ";

/// Events with their blank line; a document is one event.
std::vector<std::string> eventsIn(std::string_view stream)
{
    constexpr std::string_view kEnd = "\n\n";
    std::vector<std::string> events;
    while (!stream.empty()) {
        const std::size_t end = stream.find(kEnd);
        const std::size_t size = end == std::string_view::npos ? stream.size() : end + kEnd.size();
        events.emplace_back(stream.substr(0, size));
        stream.remove_prefix(size);
    }
    return events;
}

void changeDocument(std::string& event, std::mt19937& random)
{
    const std::size_t data = event.find(kData);
    const std::size_t begin = data == std::string::npos ? 0 : data + kData.size();
    const std::size_t end = std::min(event.find('\n', begin), event.size());
    const std::string changed = mutatedJson(event.substr(begin, end - begin), random);
    if (!changed.empty()) event.replace(begin, end - begin, changed);
}

} // namespace

std::string mutatedAnswer(std::string_view golden, std::mt19937& random)
{
    constexpr std::string_view kUpstream = "--- upstream\n";
    const std::size_t mark = golden.find(kUpstream);
    const std::size_t begin = mark == std::string_view::npos ? 0 : mark + kUpstream.size();
    const std::size_t end = std::min(golden.find("--- client\n", begin), golden.size());
    std::vector<std::string> events = eventsIn(golden.substr(begin, end - begin));
    for (std::size_t changes = 1 + random() % 3; changes > 0 && !events.empty(); --changes) {
        const auto at = static_cast<std::ptrdiff_t>(random() % events.size());
        const auto to = static_cast<std::ptrdiff_t>(random() % events.size());
        switch (random() % 6) {
        case 0:
            events.insert(events.begin() + to, std::string{events[static_cast<std::size_t>(at)]});
            break;
        case 1:
            events.erase(events.begin() + at);
            break;
        case 2:
            std::swap(events[static_cast<std::size_t>(at)], events[static_cast<std::size_t>(to)]);
            break;
        default:
            changeDocument(events[static_cast<std::size_t>(at)], random);
            break;
        }
    }
    std::string mutated{golden.substr(0, begin)};
    for (const std::string& event : events)
        mutated += event;
    return mutated;
}

} // namespace weir::protocol
