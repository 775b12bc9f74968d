// SPDX-License-Identifier: Apache-2.0
#include "agent/config/address.h"
#include "agent/config/nearest.h"
#include "agent/config/parts.h"

#include <algorithm>
#include <array>

namespace weir::config {
namespace {

Protocol readProtocol(Section& section)
{
    constexpr std::array<std::string_view, 2> kWords{"openai", "anthropic"};
    const std::optional<Located> word = section.text("protocol");
    if (!word || word->text == kWords[0]) return Protocol::OpenAi;
    if (word->text != kWords[1]) {
        section.fault(
            "protocol",
            word->line,
            "must be openai or anthropic, not " + quoted(word->text) +
                (nearest(word->text, kWords) ? suggestion(word->text, kWords) : ""));
    }
    return Protocol::Anthropic;
}

void readBaseUrl(Section& section, ProviderConfig& provider)
{
    const std::optional<Located> url = section.text("base_url");
    if (!url) {
        if (!section.table()->contains("base_url")) {
            section.fault(
                "base_url", "is missing: write the address before /chat/completions or /messages");
        }
        return;
    }
    const Result<BaseUrl> parsed = parseBaseUrl(url->text);
    if (!parsed) return section.fault("base_url", url->line, parsed.error().detail);
    provider.baseUrl = *parsed;
    provider.baseUrlText = url->text;
}

/// Whose betas they are: there all are allowed where nothing is said.
constexpr std::string_view kAnthropicHost = "api.anthropic.com";

std::string readMaxTokensName(Section& section)
{
    constexpr std::array<std::string_view, 2> kNames{"max_tokens", "max_completion_tokens"};
    const std::optional<Located> name = section.text("max_tokens_name");
    if (!name || name->text.empty()) return {};
    if (std::find(kNames.begin(), kNames.end(), name->text) == kNames.end()) {
        section.fault(
            "max_tokens_name",
            name->line,
            "must be max_tokens or max_completion_tokens, not " + quoted(name->text) +
                suggestion(name->text, kNames));
    }
    return name->text;
}

std::chrono::milliseconds timeout(
    Section& section, std::string_view key, std::chrono::milliseconds fallback, std::int64_t most)
{
    return std::chrono::milliseconds{
        section.integer(key, fallback.count(), {1, most, Unit::Milliseconds})};
}

ProviderConfig readProvider(Section& section, std::string_view name, const EnvLookup& env)
{
    ProviderConfig provider;
    provider.name = name;
    if (const auto fault = faultOfName(name, NameKind::Plain)) section.fault("", *fault);
    provider.protocol = readProtocol(section);
    readBaseUrl(section, provider);
    if (const auto variable = section.text("api_key_env"); variable && !variable->text.empty()) {
        provider.apiKeyEnv = variable->text;
        provider.apiKey = secretFrom(*variable, "api_key_env", section, env);
    }
    if (const auto file = section.text("ca_file")) provider.caFile = file->text;
    provider.connectTimeout =
        timeout(section, "connect_timeout_ms", provider.connectTimeout, 600'000);
    provider.ttftTimeout = timeout(section, "ttft_timeout_ms", provider.ttftTimeout, 3'600'000);
    provider.idleTimeout = timeout(section, "idle_timeout_ms", provider.idleTimeout, 3'600'000);
    provider.streamOptions = section.boolean("stream_options").value_or(provider.streamOptions);
    provider.maxTokensName = readMaxTokensName(section);
    if (section.find("betas") != nullptr) {
        provider.betas = readPatterns(section, "betas");
    } else if (
        provider.protocol == Protocol::Anthropic && provider.baseUrl.host == kAnthropicHost) {
        provider.betas = {"*"};
    }
    section.reportUnknownKeys();
    return provider;
}

} // namespace

Providers readProviders(Section section, const EnvLookup& env)
{
    Providers providers;
    for (const std::string_view name : keysOf(section.table())) {
        Section one = section.child(name);
        providers.emplace(name, one.exists() ? readProvider(one, name, env) : ProviderConfig{});
    }
    if (providers.empty()) {
        section.fault(
            "",
            section.line(),
            "no provider is configured: add a section [provider.NAME] with its base_url");
    }
    return providers;
}

} // namespace weir::config
