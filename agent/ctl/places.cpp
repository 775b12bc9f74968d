// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/places.h"

#include "agent/config/address.h"
#include "agent/config/environment.h"
#include "agent/store/open.h"

#include <unistd.h>

#include <array>
#include <random>

namespace weir::ctl {
namespace {

std::string addressOf(const Endpoint& endpoint)
{
    const bool isV6 = endpoint.host.find(':') != std::string::npos;
    // An agent that listens everywhere is reached here.
    std::string host = endpoint.host;
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    return "http://" + (isV6 ? '[' + host + ']' : host) + ':' + std::to_string(endpoint.port);
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// RFC 9562 section 5.4.
std::string randomUuid()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device device;
    std::string uuid = "xxxxxxxx-xxxx-4xxx-Nxxx-xxxxxxxxxxxx";
    for (char& c : uuid) {
        if (c == 'x') c = kDigits[device() % 16];
        if (c == 'N') c = kDigits[8 + device() % 4];
    }
    return uuid;
}

} // namespace

Places::Places(Options options, config::EnvLookup env)
    : m_options(std::move(options))
    , m_env(std::move(env))
{
}

Result<Places> Places::find(const Options& options, const config::EnvLookup& env)
{
    Places places{options, env};
    if (options.configFile.empty()) return places;
    config::LoadResult loaded = config::load(options.configFile, config::anyEnvironment());
    if (loaded) {
        places.m_config = std::move(*loaded);
        return places;
    }
    std::string text = loaded.error().front().text();
    if (const std::size_t more = loaded.error().size() - 1; more > 0) {
        text += " (and " + std::to_string(more) + (more == 1 ? " fault more)" : " faults more)");
    }
    return fail("bad_config", "", std::move(text));
}

Result<AgentAddress> Places::agent() const
{
    AgentAddress address;
    address.text = m_options.agentUrl;
    if (address.text.empty()) {
        address.text =
            addressOf(m_config ? m_config->agent.adminListen : AgentConfig{}.adminListen);
    }
    const Result<BaseUrl> url = config::parseBaseUrl(address.text);
    if (!url) return fail("bad_url", "--agent", url.error().detail);
    address.url = *url;
    std::string variable = m_options.tokenEnv;
    if (variable.empty() && m_config) variable = m_config->agent.adminTokenEnv;
    if (variable.empty()) return address;
    const std::string token = m_env(variable).value_or("");
    if (token.empty())
        return fail("no_token", "--token-env", "the environment variable is not set or empty");
    address.token = Secret{token};
    return address;
}

Result<AgentAddress> Places::dataPlane(const std::string& url) const
{
    AgentAddress address;
    address.text = url;
    if (url.empty()) {
        address.text = addressOf(m_config ? m_config->agent.listen : AgentConfig{}.listen);
    }
    const Result<BaseUrl> parsed = config::parseBaseUrl(address.text);
    if (!parsed) return fail("bad_url", "--data", parsed.error().detail);
    address.url = *parsed;
    return address;
}

std::string Places::dataDir() const
{
    return m_options.dataDir.empty() ? config::defaultDataDir(m_env) : m_options.dataDir;
}

std::string Places::storeUrl() const
{
    if (!m_options.storeUrl.empty()) return m_options.storeUrl;
    return m_config ? m_config->store.url : StoreConfig{}.url;
}

Result<store::Upgraded> Places::upgradeStore(UtcTime now) const
{
    store::OpenOptions options;
    options.use = store::Use::Tool;
    options.host = hostName();
    options.now = now;
    return store::upgrade(storeUrl(), dataDir(), options);
}

Result<std::unique_ptr<store::Database>> Places::openStore() const
{
    store::OpenOptions options;
    options.mode = store::OpenMode::Existing;
    options.use = store::Use::Tool;
    auto opened = store::open(storeUrl(), dataDir(), options);
    if (opened) return opened;
    Error error = opened.error();
    if (error.code == "store_missing") {
        error.detail +=
            ": start it, or say where the store is with --config, --data-dir or --store";
    }
    return tl::unexpected{std::move(error)};
}

store::Authorship authorship(const std::string& reason, const config::EnvLookup& env, UtcTime now)
{
    std::string who;
    for (const char* variable : {"SUDO_USER", "USER", "LOGNAME"}) {
        if (who.empty()) who = env(variable).value_or("");
    }
    if (who.empty()) who = "uid " + std::to_string(::getuid());
    return {who, hostName(), reason, randomUuid(), now};
}

} // namespace weir::ctl
