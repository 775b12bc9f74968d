// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/strict_rules.h"

namespace weir::fake {

void checkResponses(const Json& body, const Script& script, Verdict& verdict)
{
    const auto name = unknownMember(
        body,
        {"background",
         "context_management",
         "conversation",
         "include",
         "input",
         "instructions",
         "max_output_tokens",
         "max_tool_calls",
         "metadata",
         "model",
         "parallel_tool_calls",
         "previous_response_id",
         "prompt",
         "prompt_cache_key",
         "prompt_cache_retention",
         "reasoning",
         "safety_identifier",
         "service_tier",
         "store",
         "stream",
         "stream_options",
         "temperature",
         "text",
         "tool_choice",
         "tools",
         "top_logprobs",
         "top_p",
         "truncation",
         "user"},
        script);
    if (name) verdict.refuse("unknown_parameter", *name, "Unknown parameter: '" + *name + "'.");
    // Chat Completions' stream_options.include_usage is unknown here: usage always comes.
    const auto option =
        unknownMember(memberOf(body, "stream_options"), {"include_obfuscation"}, script);
    if (option)
        verdict.refuse(
            "unknown_parameter",
            "stream_options." + *option,
            "Unknown parameter: 'stream_options." + *option + "'.");
}

} // namespace weir::fake
