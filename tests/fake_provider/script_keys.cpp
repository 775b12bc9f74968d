// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/script_keys.h"

#include "tests/fake_provider/script_values.h"
#include "tests/fake_provider/script_words.h"

#include <array>
#include <cmath>
#include <map>

namespace weir::fake {

namespace {

Status<> readTtftMs(const Json& value, Script& script)
{
    if (!value.is_number() || value.get<double>() < 0)
        return wrongValue("must be milliseconds, 0 or more");
    script.ttftS = Spread{value.get<double>() / 1000, 0};
    return {};
}

Status<> readCache(const Json& value, Script& script)
{
    if (!value.is_object()) return wrongValue("must be {\"hit_warm\": H, \"ttl_s\": T}");
    for (const auto& [name, part] : value.items()) {
        if (!part.is_number()) return wrongValue("holds numbers only");
        if (name == "hit_warm")
            script.cacheHitWarm = part.get<double>();
        else if (name == "ttl_s")
            script.cacheTtlS = part.get<double>();
        else if (name != "shared_prefix") // a figure of the simulator; here prompts really share it
            return wrongValue("knows hit_warm, ttl_s and shared_prefix, not " + name);
    }
    return {};
}

Status<> readStatus(const Json& value, Script& script)
{
    if (!value.is_number_integer() || value.get<int>() < 200 || value.get<int>() > 599)
        return wrongValue("must be an HTTP status from 200 to 599");
    script.status = value.get<int>();
    return {};
}

Status<> readHeaders(const Json& value, Script& script)
{
    if (!value.is_object()) return wrongValue("must be an object of strings");
    for (const auto& [name, text] : value.items()) {
        if (!text.is_string()) return wrongValue("must be an object of strings");
        script.headers.emplace_back(name, text.get<std::string>());
    }
    return {};
}

Status<> readBody(const Json& value, Script& script)
{
    script.body = value.is_string() ? value.get<std::string>() : value.dump();
    return {};
}

Status<> readRetryAfter(const Json& value, Script& script)
{
    if (!value.is_string() && !value.is_number()) return wrongValue("must be a number or a string");
    script.retryAfter = value.is_string() ? value.get<std::string>() : value.dump();
    return {};
}

Status<> readToolCalls(const Json& value, Script& script)
{
    if (!value.is_array()) return wrongValue("must be [{\"name\": N, \"arguments\": {…}}, …]");
    for (const Json& each : value) {
        if (!each.is_object() || !each.contains("name") || !each["name"].is_string())
            return wrongValue("every call needs a name");
        const Json arguments = each.value("arguments", Json::object());
        script.toolCalls.push_back(
            {each["name"].get<std::string>(),
             arguments.is_string() ? arguments.get<std::string>() : arguments.dump()});
    }
    return {};
}

/// Only the shape: what a turn says over the rest of the script is known once all of it is read.
Status<> readTurns(const Json& value, Script&)
{
    if (!value.is_array()) return wrongValue("must be an array of objects");
    for (const Json& each : value)
        if (!each.is_object()) return wrongValue("must be an array of objects");
    return {};
}

/// USD per million tokens; a cache class without a price of its own costs what input does.
Status<> readPrice(const Json& value, Script& script)
{
    const auto shape = wrongValue(
        "must be {\"input\": I, \"cached_input\": C, \"cache_write\": W, \"output\": O}, USD per "
        "million tokens");
    if (!value.is_object()) return shape;
    std::map<std::string, std::uint64_t> pico;
    for (const auto& [name, part] : value.items()) {
        const bool isKnown =
            name == "input" || name == "cached_input" || name == "cache_write" || name == "output";
        if (!isKnown || !part.is_number() || !(part.get<double>() >= 0)) return shape;
        pico[name] = static_cast<std::uint64_t>(std::llround(part.get<double>() * 1e6));
    }
    script.price.input = pico["input"];
    script.price.cachedInput = pico.contains("cached_input") ? pico["cached_input"] : pico["input"];
    script.price.cacheWrite = pico.contains("cache_write") ? pico["cache_write"] : pico["input"];
    script.price.output = pico["output"];
    return {};
}

Status<> readNothing(const Json&, Script&)
{
    return {};
}

constexpr std::array kKeys{
    ScriptKey{
        "seed",
        "1",
        "start of every random draw; the same requests get the same answers",
        readCount<&Script::seed>},
    ScriptKey{
        "ttft_s",
        "0",
        "seconds to the first token: a number or {median, sigma}",
        readSpread<&Script::ttftS>},
    ScriptKey{"ttft_ms", "0", "the same, fixed, in milliseconds", readTtftMs},
    ScriptKey{
        "ttft_cached_factor",
        "1",
        "TTFT is multiplied by it, in proportion to the cached share of the prompt",
        readNumber<&Script::ttftCachedFactor>},
    ScriptKey{
        "tokens_per_s",
        "0",
        "a number or {median, sigma}; 0 = as fast as possible",
        readSpread<&Script::tokensPerS>},
    ScriptKey{
        "output_tokens",
        "16",
        "a number or {median, sigma}; the request's max_tokens cuts it to finish_reason length",
        readSpread<&Script::outputTokens>},
    ScriptKey{
        "reasoning_tokens",
        "0",
        "tokens of reasoning before the text",
        readCount<&Script::reasoningTokens>},
    ScriptKey{
        "reasoning_field",
        "reasoning_content",
        "what OpenAI's protocol calls it there; some providers say reasoning",
        readText<&Script::reasoningField>},
    ScriptKey{
        "redacted",
        "false",
        "Anthropic's reasoning comes as redacted_thinking",
        readFlag<&Script::redacted>},
    ScriptKey{"chunk_tokens", "1", "tokens in one SSE event", readCount<&Script::chunkTokens>},
    ScriptKey{
        "segment_bytes",
        "0",
        "every write is cut into pieces of so many bytes; 1 = a byte per TCP segment",
        readCount<&Script::segmentBytes>},
    ScriptKey{
        "stream_bytes",
        "0",
        "stream filler until the body has this many bytes",
        readCount<&Script::streamBytes>},
    ScriptKey{
        "early_head",
        "false",
        "send the response head at once, not with the first token",
        readFlag<&Script::earlyHead>},
    ScriptKey{
        "heartbeat_ms",
        "0",
        "an SSE comment this often while a stream waits (implies early_head)",
        readNumber<&Script::heartbeatMs>},
    ScriptKey{
        "comments",
        "0",
        "SSE comments before the first event (implies early_head)",
        readCount<&Script::comments>},
    ScriptKey{
        "line_end", "lf", "line ends of SSE: lf, crlf, cr", readWord<&Script::lineEnd, kLineEnds>},
    ScriptKey{
        "framing",
        "usual",
        "usual: Content-Length, streams chunked; chunked: both; close: until the end of the "
        "connection",
        readWord<&Script::framing, kFramings>},
    ScriptKey{
        "usage",
        "asked",
        "usage in OpenAI streams: asked (stream_options.include_usage), always, never, every (each "
        "chunk). never also drops it from JSON answers",
        readWord<&Script::usage, kUsages>},
    ScriptKey{
        "text",
        "generated words",
        "the answer's text; cut into tokens before its spaces",
        readText<&Script::text>},
    ScriptKey{"echo", "false", "the answer's text is the last user text", readFlag<&Script::echo>},
    ScriptKey{
        "tools",
        "auto",
        "auto: a tool is called when the user text says \"use a tool\" or tool_choice demands it; "
        "always; never",
        readWord<&Script::tools, kToolUses>},
    ScriptKey{
        "tool_calls",
        "the tool of tool_choice, or the first",
        "the calls made: [{name, arguments}]; a scripted text is said before them",
        readToolCalls},
    ScriptKey{
        "turns",
        "none",
        "an agent's loop: a list of what the script says besides, turn by turn. A turn is over "
        "when "
        "the request brings the results of its tool_calls and of those before; the last one lasts",
        readTurns},
    ScriptKey{
        "finish_reason",
        "as it comes",
        "sent in place of stop, length, tool_calls (or Anthropic's words)",
        readText<&Script::finishReason>},
    ScriptKey{
        "input_tokens",
        "counted",
        "input tokens in usage; counted: tokens_per_byte of the text",
        readCount<&Script::inputTokens>},
    ScriptKey{
        "tokens_per_byte",
        "0.25",
        "tokens that a byte of the prompt's text counts for",
        readNumber<&Script::tokensPerByte>},
    ScriptKey{
        "context_tokens",
        "0",
        "400 context_length_exceeded where prompt and max_tokens are more; 0 = no limit",
        readCount<&Script::contextTokens>},
    ScriptKey{
        "cached_tokens",
        "by cache",
        "cached input tokens in usage, at most all of them",
        readCount<&Script::cachedTokens>},
    ScriptKey{
        "cache_creation_tokens",
        "0",
        "Anthropic's cache_creation_input_tokens",
        readCount<&Script::cacheCreationTokens>},
    ScriptKey{
        "cache",
        "off",
        "{hit_warm, ttl_s}: a prompt whose first messages were seen within ttl_s reads hit_warm of "
        "them from cache",
        readCache},
    ScriptKey{
        "success",
        "1",
        "chance of an answer; otherwise 503 after 0.3 s",
        readShare<&Script::success>},
    ScriptKey{
        "status",
        "200",
        "every answer has it, with the usual error body of the protocol; 200 takes it back",
        readStatus},
    ScriptKey{
        "status_delay_ms", "0", "wait before a status answer", readNumber<&Script::statusDelayMs>},
    ScriptKey{"headers", "{}", "further response headers", readHeaders},
    ScriptKey{
        "body",
        "by protocol",
        "replaces the body of a status or 200 answer, or the error of an error fault",
        readBody},
    ScriptKey{
        "content_type", "by answer", "replaces the Content-Type", readText<&Script::contentType>},
    ScriptKey{
        "retry_after", "none", "Retry-After of status answers other than 200", readRetryAfter},
    ScriptKey{
        "capacity_rps",
        "0",
        "token bucket of one second's depth; over it 429 at once; 0 = no limit",
        readNumber<&Script::capacityRps>},
    ScriptKey{
        "queue_rps",
        "0",
        "served at this rate, the rest waits and pays with TTFT; 0 = no limit",
        readNumber<&Script::queueRps>},
    ScriptKey{
        "burst_429_s",
        "0",
        "every answer is 429 for so many seconds from now",
        readNumber<&Script::burst429S>},
    ScriptKey{
        "fault",
        "none",
        "what goes wrong, see the table of faults",
        readWord<&Script::fault, kFaults>},
    ScriptKey{
        "after_chunks",
        "3",
        "content events before cut_fin, cut_rst, stall_mid_stream, error_after",
        readCount<&Script::afterChunks>},
    ScriptKey{
        "fault_share", "1", "chance that fault or status strikes", readShare<&Script::faultShare>},
    ScriptKey{
        "times",
        "0",
        "fault or status strike the next so many requests only; 0 = all",
        readCount<&Script::times>},
    ScriptKey{
        "listening",
        "true",
        "false: connections are refused and idle ones closed (use --control-port to come back)",
        readFlag<&Script::listening>},
    ScriptKey{
        "idle_close_ms",
        "0",
        "idle keep-alive connections are closed after it; 0 = never",
        readNumber<&Script::idleCloseMs>},
    ScriptKey{
        "requests_per_connection",
        "0",
        "Connection: close after so many; 0 = no limit",
        readCount<&Script::requestsPerConnection>},
    ScriptKey{
        "expect_key",
        "any",
        "401 unless the request brings this key (Authorization: Bearer or x-api-key)",
        readText<&Script::expectKey>},
    ScriptKey{
        "models",
        "any",
        "known models; others get 404 model_not_found",
        readTexts<&Script::models>},
    ScriptKey{
        "reject_params",
        "[]",
        "400 unsupported_parameter if the body has one of these keys",
        readTexts<&Script::rejectParams>},
    ScriptKey{
        "strict",
        "false",
        "refuse with 400 what the real provider refuses: unknown fields, empty texts, bad ids, "
        "values out of range, foreign signatures",
        readFlag<&Script::strict>},
    ScriptKey{
        "strict_also",
        "[]",
        "further field names that strict lets pass",
        readTexts<&Script::strictAlso>},
    ScriptKey{
        "betas",
        "any",
        "known anthropic-beta values; others get 400 (needs strict)",
        readTexts<&Script::betas>},
    ScriptKey{
        "prefill",
        "true",
        "an answer goes on where an assistant message that stands last ends; false: 400",
        readFlag<&Script::prefill>},
    ScriptKey{
        "keep_requests",
        "64",
        "how many of the last requests GET /_requests can show",
        readCount<&Script::keepRequests>},
    ScriptKey{
        "keep_bytes", "67108864", "at most so many bytes of them", readCount<&Script::keepBytes>},
    ScriptKey{
        "price",
        "0",
        "{input, cached_input, cache_write, output} in USD per million tokens, for the bill",
        readPrice},
    ScriptKey{
        "enabled_from_s", "", "understood for scenario files, has no effect here", readNothing},
};

} // namespace

std::span<const ScriptKey> scriptKeys()
{
    return kKeys;
}

} // namespace weir::fake
