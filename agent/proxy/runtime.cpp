// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/runtime.h"

#include "agent/http/write.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace weir::proxy {
namespace {

constexpr std::size_t kTokenizerBytesMax = 64U << 20U;

std::string hostField(const BaseUrl& url)
{
    const bool standard = url.port == (url.tls ? 443 : 80);
    const bool v6 = url.host.find(':') != std::string::npos;
    const std::string host = v6 ? '[' + url.host + ']' : url.host;
    return standard ? host : host + ':' + std::to_string(url.port);
}

std::string commonFields(const ProviderConfig& provider)
{
    std::string fields;
    http::appendField(fields, "Host", hostField(provider.baseUrl));
    http::appendField(fields, "User-Agent", "weir");
    http::appendField(fields, "Content-Type", "application/json");
    if (provider.apiKey.empty()) return fields;
    if (provider.protocol == Protocol::Anthropic) {
        http::appendField(fields, "x-api-key", provider.apiKey.reveal());
    } else {
        http::appendField(
            fields, "Authorization", "Bearer " + std::string{provider.apiKey.reveal()});
    }
    return fields;
}

Result<std::shared_ptr<const ProviderRuntime>> makeProvider(const ProviderConfig& config)
{
    auto provider = std::make_shared<ProviderRuntime>();
    provider->config = config;
    provider->remote = {config.baseUrl.host, config.baseUrl.port, nullptr};
    provider->fields = commonFields(config);
    if (config.baseUrl.tls) {
        auto tls = net::TlsClient::create(config.baseUrl.host, config.caFile);
        if (!tls) {
            return fail(
                tls.error().code,
                "provider." + config.name + ".ca_file",
                '"' + tls.error().where + "\" " + tls.error().detail);
        }
        provider->remote.tls = std::move(*tls);
    }
    return provider;
}

/// By file, so that routes of one model share it.
using Tokenizers = std::map<std::string, std::shared_ptr<const protocol::Tokenizer>, std::less<>>;

Result<std::shared_ptr<const protocol::Tokenizer>> readTokenizer(const std::string& file)
{
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown)) {
        return fail("bad_tokenizer", "", "cannot be read: it is not there, or no file");
    }
    std::ifstream stream(file, std::ios::binary);
    std::string model;
    std::array<char, 65'536> block{};
    do {
        stream.read(block.data(), block.size());
        model.append(block.data(), static_cast<std::size_t>(stream.gcount()));
        if (model.size() > kTokenizerBytesMax) {
            return fail("bad_tokenizer", "", "is larger than 64 MiB, which no tokenizer is");
        }
    } while (stream);
    if (model.empty()) return fail("bad_tokenizer", "", "cannot be read, or is empty");
    return protocol::Tokenizer::read(model);
}

Result<Tokenizers> readTokenizers(const Config& config)
{
    Tokenizers tokenizers;
    for (const auto& [name, model] : config.models) {
        for (const RouteConfig& route : model.routes) {
            if (route.tokenizer.empty() || tokenizers.contains(route.tokenizer)) continue;
            auto tokenizer = readTokenizer(route.tokenizer);
            if (!tokenizer) {
                return fail(
                    tokenizer.error().code,
                    "model." + name + ".route, provider " + route.provider + ": tokenizer",
                    '"' + route.tokenizer + "\" " + tokenizer.error().detail);
            }
            tokenizers.emplace(route.tokenizer, std::move(*tokenizer));
        }
    }
    return tokenizers;
}

} // namespace

bool RouteRuntime::can(std::string_view capability) const
{
    const auto& known = config.capabilities;
    return std::find(known.begin(), known.end(), capability) != known.end();
}

std::set<std::string> Runtime::hosts() const
{
    std::set<std::string> hosts;
    for (const auto& [name, model] : models) {
        for (const RouteRuntime& route : model.routes)
            hosts.insert(route.provider->remote.host);
    }
    return hosts;
}

Result<std::shared_ptr<const Runtime>>
makeRuntime(std::shared_ptr<const Config> config, fleet::RouteStates& states, Instant now)
{
    std::map<std::string, std::shared_ptr<const ProviderRuntime>> providers;
    for (const auto& [name, provider] : config->providers) {
        auto made = makeProvider(provider);
        if (!made) return tl::unexpected(made.error());
        providers[name] = std::move(*made);
    }
    auto tokenizers = readTokenizers(*config);
    if (!tokenizers) return tl::unexpected(tokenizers.error());
    auto runtime = std::make_shared<Runtime>();
    for (const auto& [name, model] : config->models) {
        ModelRuntime& target = runtime->models[name];
        target.name = name;
        target.requests = states.requestsOf(name);
        for (const RouteConfig& route : model.routes) {
            const auto position =
                std::find(model.fixedOrder.begin(), model.fixedOrder.end(), route.provider);
            target.routes.push_back(
                {route,
                 route.name(),
                 static_cast<std::size_t>(position - model.fixedOrder.begin()),
                 providers.at(route.provider),
                 states.of(
                     name, route.provider, now, config->providers.at(route.provider).baseUrlText),
                 (*tokenizers)[route.tokenizer]});
            target.providers.push_back(route.provider);
            target.routes.back().state->setLimits(route.quota, route.capacity, now);
        }
    }
    runtime->config = std::move(config);
    return runtime;
}

} // namespace weir::proxy
