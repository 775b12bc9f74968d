// SPDX-License-Identifier: Apache-2.0
#include "agent/config/address.h"
#include "agent/config/nearest.h"
#include "agent/config/parts.h"
#include "agent/config/redis_url.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::config {
namespace {

/// The address, or `fallback` where the key is absent or wrong.
Endpoint readEndpoint(Section& section, std::string_view key, const Endpoint& fallback)
{
    const std::optional<Located> value = section.text(key);
    if (!value) return fallback;
    const Result<Endpoint> endpoint = parseEndpoint(value->text);
    if (endpoint) return *endpoint;
    section.fault(key, value->line, endpoint.error().detail);
    return fallback;
}

void readClientKeys(
    const Located& names, AgentConfig& agent, Section& section, const EnvLookup& env)
{
    std::string_view rest = names.text;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view name = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        if (name.empty()) {
            section.fault(
                "client_keys_env",
                names.line,
                "has an empty name between its commas: write \"FIRST_KEY,SECOND_KEY\"");
            continue;
        }
        Secret key = secretFrom({std::string{name}, names.line}, "client_keys_env", section, env);
        if (key.empty()) continue;
        agent.clientKeys.push_back(std::move(key));
        agent.clientKeyNames.emplace_back(name);
    }
}

bool isOriginCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':' ||
           c == '[' || c == ']';
}

/// As a browser sends it: a scheme, a host in lower case and perhaps a port, nothing behind.
bool isOrigin(std::string_view text)
{
    const std::size_t colon = text.find("://");
    if (colon == std::string_view::npos || colon == 0) return false;
    const std::string_view host = text.substr(colon + 3);
    return !host.empty() && std::all_of(host.begin(), host.end(), isOriginCharacter) &&
           std::all_of(text.begin(), text.begin() + colon, isOriginCharacter);
}

std::vector<std::string> readOrigins(Section& section)
{
    std::vector<std::string> origins;
    for (const Located& origin : section.texts("cors_origins").value_or(std::vector<Located>{})) {
        if (origin.text != "*" && !isOrigin(origin.text)) {
            section.fault(
                "cors_origins",
                origin.line,
                "must be \"*\" or origins as a browser sends them, not " + quoted(origin.text) +
                    ": write \"https://app.example\", in lower case and without a path");
        }
        origins.push_back(origin.text);
    }
    return origins;
}

void checkExposure(const AgentConfig& agent, Section& section)
{
    const toml::node* listen = section.find("listen");
    const toml::node* admin = section.find("admin_listen");
    const auto line = [&](const toml::node* node) { return node ? lineOf(*node) : section.line(); };
    if (!isLoopback(agent.listen.host) && agent.clientKeysEnv.empty()) {
        section.fault(
            "listen",
            line(listen),
            "is not a loopback address, so anybody could spend your money: name client keys in "
            "agent.client_keys_env, or listen on 127.0.0.1");
    }
    if (!isLoopback(agent.adminListen.host) && agent.adminTokenEnv.empty()) {
        section.fault(
            "admin_listen",
            line(admin),
            "is not a loopback address, so anybody could read it: name a token in "
            "agent.admin_token_env, or listen on 127.0.0.1");
    }
    const auto& origins = agent.corsOrigins;
    const bool anyPage = std::find(origins.begin(), origins.end(), "*") != origins.end();
    if (anyPage && agent.clientKeysEnv.empty()) {
        section.fault(
            "cors_origins",
            line(section.find("cors_origins")),
            "lets the pages of any site spend your money: name client keys in "
            "agent.client_keys_env, or the origins of your own pages");
    }
    if (agent.listen == agent.adminListen && agent.listen.port != 0) {
        section.fault(
            "admin_listen",
            line(admin),
            "is the same address as agent.listen: give it another port");
    }
}

std::size_t
bytes(Section& section, std::string_view key, std::size_t fallback, const Bounds& bounds)
{
    return static_cast<std::size_t>(
        section.integer(key, static_cast<std::int64_t>(fallback), bounds));
}

std::chrono::seconds
seconds(Section& section, std::string_view key, std::chrono::seconds fallback, Bounds bounds)
{
    bounds.unit = Unit::Seconds;
    return std::chrono::seconds{section.integer(key, fallback.count(), bounds)};
}

} // namespace

AgentConfig readAgent(Section section, const EnvLookup& env)
{
    AgentConfig agent;
    agent.listen = readEndpoint(section, "listen", agent.listen);
    agent.adminListen = readEndpoint(section, "admin_listen", agent.adminListen);
    if (const auto service = section.text("service")) {
        const auto fault = faultOfName(service->text, NameKind::Plain);
        if (fault) section.fault("service", service->line, *fault);
        agent.service = service->text;
    }
    agent.threads = static_cast<int>(section.integer("threads", agent.threads, {1, 64}));
    if (const auto names = section.text("client_keys_env")) {
        agent.clientKeysEnv = trimmed(names->text);
        readClientKeys(*names, agent, section, env);
    }
    if (const auto name = section.text("admin_token_env"); name && !name->text.empty()) {
        agent.adminTokenEnv = name->text;
        agent.adminToken = secretFrom(*name, "admin_token_env", section, env);
    }
    agent.optionalBetas = readPatterns(section, "optional_betas");
    agent.corsOrigins = readOrigins(section);
    checkExposure(agent, section);
    section.reportUnknownKeys();
    return agent;
}

StoreConfig readStore(Section section, const EnvLookup& env)
{
    StoreConfig store;
    if (const auto url = section.text("url")) {
        const bool known = url->text.starts_with("sqlite:") ||
                           url->text.starts_with("postgresql://") ||
                           url->text.starts_with("postgres://");
        // The text is not repeated: it may hold a password.
        if (!known) {
            section.fault(
                "url",
                url->line,
                "must be \"sqlite:\", \"sqlite:/path/weir.db\" or \"postgresql://…\"");
        } else if (url->text.starts_with("sqlite://")) {
            section.fault("url", url->line, "has slashes too many: write \"sqlite:/path/weir.db\"");
        }
        store.url = url->text;
    }
    if (const auto redis = section.text("redis")) {
        const Result<RedisAddress> address = parseRedisUrl(redis->text);
        if (!redis->text.empty() && !address) {
            section.fault("redis", redis->line, address.error().detail);
        }
        store.redis = redis->text;
    }
    if (const auto name = section.text("redis_password_env"); name && !name->text.empty()) {
        store.redisPasswordEnv = name->text;
        store.redisPassword = secretFrom(*name, "redis_password_env", section, env);
    }
    store.ledgerDays =
        static_cast<int>(section.integer("ledger_days", store.ledgerDays, {1, 3650}));
    section.reportUnknownKeys();
    return store;
}

TimingConfig readTiming(Section section)
{
    TimingConfig timing;
    timing.summaryInterval =
        seconds(section, "summary_interval_s", timing.summaryInterval, {1, 86400});
    timing.summaryMaxAge = seconds(section, "summary_max_age_s", timing.summaryMaxAge, {1, 604800});
    if (section.exists() && timing.summaryMaxAge < timing.summaryInterval) {
        const toml::node* age = section.find("summary_max_age_s");
        section.fault(
            "summary_max_age_s",
            age ? lineOf(*age) : section.line(),
            "must not be less than summary_interval_s (" +
                std::to_string(timing.summaryInterval.count()) +
                "), or every summary would be too old before the next one");
    }
    // At most 5 s: a change must reach every agent within 5 s (contract section 5).
    if (const auto poll = section.number("settings_poll_s", 0.01, 5.0)) {
        timing.settingsPoll = std::chrono::milliseconds{std::llround(*poll * 1000.0)};
    }
    timing.settingsGrace = seconds(section, "settings_grace_s", timing.settingsGrace, {1, 3600});
    timing.breakerOpen = seconds(section, "breaker_open_s", timing.breakerOpen, {1, 300});
    timing.ledgerFlush = std::chrono::milliseconds{section.integer(
        "ledger_flush_ms", timing.ledgerFlush.count(), {1, 60000, Unit::Milliseconds})};
    timing.drain = seconds(section, "drain_s", timing.drain, {0, 3600});
    section.reportUnknownKeys();
    return timing;
}

LimitsConfig readLimits(Section section)
{
    constexpr std::int64_t kMib = 1048576;
    LimitsConfig limits;
    limits.headBytes = bytes(section, "head_bytes", limits.headBytes, {1024, kMib, Unit::Bytes});
    limits.bodyBytes =
        bytes(section, "body_bytes", limits.bodyBytes, {1024, 1024 * kMib, Unit::Bytes});
    limits.sseLineBytes =
        bytes(section, "sse_line_bytes", limits.sseLineBytes, {1024, 1024 * kMib, Unit::Bytes});
    limits.clientConnections = static_cast<int>(
        section.integer("client_connections", limits.clientConnections, {1, 1000000}));
    limits.clientWriteStall =
        seconds(section, "client_write_stall_s", limits.clientWriteStall, {1, 3600});
    limits.clientIdle = seconds(section, "client_idle_s", limits.clientIdle, {1, 86400});
    limits.total = seconds(section, "total_s", limits.total, {1, 86400});
    limits.spoolBytes =
        bytes(section, "spool_bytes", limits.spoolBytes, {65536, kMib * kMib, Unit::Bytes});
    section.reportUnknownKeys();
    return limits;
}

} // namespace weir::config
