// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/ignored_members.h"

#include "agent/protocol/translation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::protocol {
namespace {

using json::Node;

using Condition = bool (*)(const Node&);

/// Left out where the condition holds; a value for which it does not is refused by name.
struct Ignored
{
    std::string_view name;
    Condition condition;
};

bool always(const Node& /*value*/)
{
    return true;
}

bool isOff(const Node& value)
{
    return value.isFalse();
}

bool isZero(const Node& value)
{
    return value.number() == 0.0;
}

bool isOne(const Node& value)
{
    return value.number() == 1.0;
}

bool isEmptyObject(const Node& value)
{
    return value.isObject() && value.isEmpty();
}

bool isEmptyArray(const Node& value)
{
    return value.isArray() && value.isEmpty();
}

bool isTextAlone(const Node& value)
{
    return value.isArray() &&
           allOf(value, [](const Node& modality) { return modality.is("text"); });
}

bool isMedium(const Node& value)
{
    return value.is("medium");
}

bool isUsualTier(const Node& value)
{
    return value.is("auto") || value.is("default") || value.is("standard_only");
}

bool isStandard(const Node& value)
{
    return value.is("standard");
}

/// Leave to drop old parts of the conversation, not a wish for it; a summary in their place is one.
bool allowsClearing(const Node& management)
{
    const auto isClearing = [](const Node& edit) {
        return edit["type"].isString() && edit["type"].string().bytes.starts_with("clear_");
    };
    return management.isObject() && allOf(management, [&isClearing](const Node& member) {
               return !member.isGiven() ||
                      (member.key().is("edits") && member.isArray() && allOf(member, isClearing));
           });
}

/// Weir reports usage as the client asked whatever the upstream sends.
bool isFulfilledHere(const Node& options)
{
    return options.isObject() && allOf(options, [](const Node& option) {
               return !option.isGiven() || option.key().is("include_usage") || option.isFalse();
           });
}

constexpr std::array<Ignored, 20> kOfOpenAi = {{
    // Weir's own: read before the route is chosen.
    {"provider", always},
    {"models", always},
    // Hints that keep a conversation at one route and its cache, which are Weir's matter too.
    {"session_id", always},
    {"prompt_cache_key", always},
    {"prompt_cache_retention", always},
    // Labels for answers that the provider keeps; the one that asks to keep them is refused.
    {"metadata", always},
    {"store", isOff},
    // The class that is served without asking for one.
    {"service_tier", isUsualTier},
    {"stream_options", isFulfilledHere},
    // Values that mean the default.
    {"n", isOne},
    {"logprobs", isOff},
    {"top_logprobs", isZero},
    {"logit_bias", isEmptyObject},
    {"frequency_penalty", isZero},
    {"presence_penalty", isZero},
    {"repetition_penalty", isOne},
    {"min_p", isZero},
    {"modalities", isTextAlone},
    {"verbosity", isMedium},
    {"functions", isEmptyArray},
}};

constexpr std::array<Ignored, 10> kOfAnthropic = {{
    {"provider", always},
    {"models", always},
    {"session_id", always},
    {"prompt_cache_key", always},
    {"prompt_cache_retention", always},
    {"service_tier", isUsualTier},
    // Asks to cache as much as possible, which the servers of OpenAI's protocol do by themselves.
    {"cache_control", always},
    {"context_management", allowsClearing},
    {"speed", isStandard},
    {"mcp_servers", isEmptyArray},
}};

template <std::size_t Size>
bool standsIn(const std::array<Ignored, Size>& table, const Node& member)
{
    return std::any_of(table.begin(), table.end(), [&member](const Ignored& ignored) {
        return member.key().is(ignored.name) && ignored.condition(member);
    });
}

} // namespace

bool isIgnored(Protocol client, const Node& member)
{
    return client == Protocol::OpenAi ? standsIn(kOfOpenAi, member)
                                      : standsIn(kOfAnthropic, member);
}

} // namespace weir::protocol
