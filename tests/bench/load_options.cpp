// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/load_options.h"

#include <charconv>
#include <functional>
#include <map>
#include <string_view>

namespace weir::bench {
namespace {

/// The bounds that keep a mistyped call from harming the machine.
constexpr int kConnectionsMax = 4096;
constexpr double kSecondsMax = 120.0;
constexpr double kRateMax = 200000.0;
constexpr int kBodyBytesMax = 1 << 20;

template <class T>
std::function<bool(std::string_view)> readNumber(T& target, T minimum, T maximum)
{
    return [&target, minimum, maximum](std::string_view text) {
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, target);
        return read.ec == std::errc{} && read.ptr == end && target >= minimum && target <= maximum;
    };
}

std::function<bool(std::string_view)> readText(std::string& target)
{
    return [&target](std::string_view value) {
        target = value;
        return !value.empty();
    };
}

std::function<bool(std::string_view)> readMode(LoadMode& target)
{
    return [&target](std::string_view value) {
        if (value == "open") target = LoadMode::Open;
        if (value == "hold") target = LoadMode::Hold;
        return value == "open" || value == "hold" || value == "closed";
    };
}

} // namespace

Result<LoadOptions> LoadOptions::read(int count, char** words)
{
    LoadOptions options;
    int stream = 0;
    const std::map<std::string_view, std::function<bool(std::string_view)>> keys{
        {"--mode", readMode(options.mode)},
        {"--port", readNumber<std::uint16_t>(options.port, 1, 65535)},
        {"--path", readText(options.path)},
        {"--model", readText(options.model)},
        {"--connections", readNumber(options.connections, 1, kConnectionsMax)},
        {"--rate", readNumber(options.ratePerS, 0.1, kRateMax)},
        {"--seconds", readNumber(options.seconds, 0.1, kSecondsMax)},
        {"--warm-up", readNumber(options.warmUpSeconds, 0.0, kSecondsMax)},
        {"--stream", readNumber(stream, 0, 1)},
        {"--chunks", readNumber(options.chunks, 0, 100000)},
        {"--interval-us", readNumber(options.intervalUs, 0, 10000000)},
        {"--body-bytes", readNumber(options.bodyBytes, 256, kBodyBytesMax)}};
    for (int i = 1; i < count; i += 2) {
        const auto key = keys.find(words[i]);
        if (key == keys.end()) return fail("bad_usage", words[i], "no such option");
        if (i + 1 == count || !key->second(words[i + 1])) {
            return fail("bad_usage", words[i], "a value in its range is missing");
        }
    }
    options.stream = stream != 0;
    if (options.port == 0) return fail("bad_usage", "--port", "is needed");
    if (options.mode == LoadMode::Open && options.ratePerS <= 0.0) {
        return fail("bad_usage", "--rate", "is needed with --mode open");
    }
    return options;
}

std::string LoadOptions::request() const
{
    std::string body = R"({"model":")" + model + R"(","max_tokens":)" + std::to_string(chunks) +
                       R"(,"seed":)" + std::to_string(intervalUs) + R"(,"stream":)" +
                       (stream ? "true" : "false") + R"(,"messages":[{"role":"user","content":")";
    constexpr std::string_view kEnd = R"("}]})";
    const auto size = static_cast<std::size_t>(bodyBytes);
    while (body.size() + kEnd.size() < size)
        body += "water "[body.size() % 6];
    body += kEnd;
    return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace weir::bench
