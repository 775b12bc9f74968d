// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/stream_reader.h"
#include "tests/protocol/padded.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

inline constexpr auto kOpenAi = Protocol::OpenAi;
inline constexpr auto kAnthropic = Protocol::Anthropic;

inline const std::string kRole =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
    "\"content\":\"\"},\"finish_reason\":null}],\"usage\":null}\n\n";
inline const std::string kText =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n";
inline const std::string kStop =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
inline const std::string kUsage =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":7}}\n\n";
inline const std::string kDone = "data: [DONE]\n\n";

/// One reader with what it relayed.
class Reading final
{
public:
    explicit Reading(Protocol protocol, StreamReader::Options options = {})
        : reader(conversationApi(protocol), options)
    {
    }

    Reading& feed(std::string_view bytes)
    {
        const std::string piece{bytes};
        std::vector<std::string_view> relay;
        reader.feed(piece, UtcTime{}, relay);
        take(relay);
        return *this;
    }

    Reading& feedBytewise(std::string_view bytes)
    {
        for (const char c : bytes)
            feed({&c, 1});
        return *this;
    }

    Reading& end()
    {
        std::vector<std::string_view> relay;
        reader.atEnd(UtcTime{}, relay);
        take(relay);
        return *this;
    }

    StreamReader reader;
    std::string relayed;

private:
    void take(const std::vector<std::string_view>& relay)
    {
        for (const std::string_view piece : relay)
            relayed += piece;
    }
};

/// One event of Anthropic's, with its type as its name.
inline std::string sseEvent(const std::string& type, const std::string& members)
{
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
}

inline const std::string kMessageStart =
    sseEvent("message_start", R"(,"message":{"usage":{"input_tokens":30,"output_tokens":1}})");
inline const std::string kBlockStart =
    sseEvent("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})");
inline const std::string kTextDelta =
    sseEvent("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"hell"})");
inline const std::string kMessageStop = sseEvent("message_stop", "");

inline QString outcomeOf(const Reading& reading)
{
    const auto& failure = reading.reader.failure();
    return failure ? shown(toWord(failure->outcome)) : QString("none");
}

inline QString usageOf(const Reading& reading)
{
    const TokenUsage usage = reading.reader.usage();
    const auto count = [](const std::optional<std::int64_t>& value) {
        return value ? QString::number(*value) : QString("-");
    };
    return count(usage.inputUncached) + "/" + count(usage.inputCached) + "/" + count(usage.output) +
           (usage.estimated ? "~" : "") + (usage.inconsistent ? "!" : "");
}

} // namespace weir::protocol
