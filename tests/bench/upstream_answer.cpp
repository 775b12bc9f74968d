// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/upstream_answer.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace weir::bench {
namespace {

constexpr std::size_t kTextBytes = 720;
constexpr std::string_view kUsage =
    R"("usage":{"prompt_tokens":220,"completion_tokens":180,"total_tokens":400})";
constexpr std::string_view kStart =
    R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1,"model":"bench",)";

std::int64_t numberAfter(std::string_view body, std::string_view key)
{
    const std::size_t at = body.find(key);
    if (at == std::string_view::npos) return 0;
    std::string_view rest = body.substr(at + key.size());
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':'))
        rest.remove_prefix(1);
    std::int64_t value = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return value;
}

bool hasTrue(std::string_view body, std::string_view key)
{
    const std::size_t at = body.find(key);
    if (at == std::string_view::npos) return false;
    const std::string_view rest = body.substr(at + key.size(), 8);
    return rest.find("true") != std::string_view::npos;
}

void appendChunk(std::string& out, std::string_view data)
{
    std::array<char, 16> size{};
    const auto end = std::to_chars(size.data(), size.data() + size.size(), data.size(), 16);
    out.append(size.data(), end.ptr);
    out.append("\r\n").append(data).append("\r\n");
}

std::string makeJsonAnswer()
{
    std::string body =
        R"({"id":"chatcmpl-bench","object":"chat.completion","created":1,"model":"bench",)"
        R"("choices":[{"index":0,"message":{"role":"assistant","content":")";
    while (body.size() < kTextBytes)
        body += "The river rises and the weir holds. ";
    body += R"("},"finish_reason":"stop"}],)";
    body.append(kUsage).append("}");
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace

Wish Wish::read(std::string_view body)
{
    Wish wish;
    wish.stream = hasTrue(body, R"("stream")");
    wish.usage = hasTrue(body, R"("include_usage")");
    wish.chunks = numberAfter(body, R"("max_tokens")");
    wish.intervalUs = numberAfter(body, R"("seed")");
    return wish;
}

const std::string& jsonAnswer()
{
    static const std::string answer = makeJsonAnswer();
    return answer;
}

std::string_view streamHead()
{
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
           "Transfer-Encoding: chunked\r\n\r\n";
}

void appendEvent(std::string& out, std::int64_t number, std::int64_t nowNs)
{
    std::array<char, 256> text{};
    const int size = std::snprintf(
        text.data(),
        text.size(),
        R"("choices":[{"index":0,"delta":{"content":"@%016lld@ %lld"},"finish_reason":null}]})"
        "\n\n",
        static_cast<long long>(nowNs),
        static_cast<long long>(number));
    std::string event(kStart);
    event.append(text.data(), static_cast<std::size_t>(size));
    appendChunk(out, event);
}

void appendEnd(std::string& out, const Wish& wish)
{
    std::string event(kStart);
    appendChunk(
        out, event + R"("choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})" + "\n\n");
    if (wish.usage) {
        event.append(R"("choices":[],)").append(kUsage).append("}\n\n");
        appendChunk(out, event);
    }
    appendChunk(out, "data: [DONE]\n\n");
    out += "0\r\n\r\n";
}

} // namespace weir::bench
