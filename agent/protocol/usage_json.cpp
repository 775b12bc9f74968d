// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/usage_json.h"

namespace weir::protocol {
namespace {

void writeCount(json::Writer& writer, std::string_view name, std::int64_t count)
{
    writer.key(name);
    writer.integer(count);
}

} // namespace

void writeUsage(Protocol to, const TokenUsage& usage, json::Writer& writer)
{
    const std::int64_t uncached = usage.inputUncached.value_or(0);
    const std::int64_t cached = usage.inputCached.value_or(0);
    const std::int64_t written = usage.cacheWrite.value_or(0);
    const std::int64_t output = usage.output.value_or(0);
    writer.beginObject();
    if (to == Protocol::Anthropic) {
        writeCount(writer, "input_tokens", uncached);
        writeCount(writer, "cache_creation_input_tokens", written);
        writeCount(writer, "cache_read_input_tokens", cached);
        writeCount(writer, "output_tokens", output);
    } else {
        const std::int64_t prompt = uncached + cached + written;
        writeCount(writer, "prompt_tokens", prompt);
        writeCount(writer, "completion_tokens", output);
        writeCount(writer, "total_tokens", prompt + output);
        writer.key("prompt_tokens_details");
        writer.beginObject();
        writeCount(writer, "cached_tokens", cached);
        if (usage.cacheWrite) writeCount(writer, "cache_write_tokens", written);
        writer.endObject();
    }
    writer.endObject();
}

bool isWholeUsage(const TokenUsage& usage)
{
    return usage.inputUncached && usage.output && !usage.estimated;
}

} // namespace weir::protocol
