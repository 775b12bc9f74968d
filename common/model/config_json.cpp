// SPDX-License-Identifier: Apache-2.0
#include "common/model/config_json.h"

#include "common/model/route_config_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Endpoint& endpoint)
{
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    return (v6 ? '[' + endpoint.host + ']' : endpoint.host) + ':' + std::to_string(endpoint.port);
}

/// What stands behind `name`= in a URL's query is not shown.
std::string withoutValue(std::string url, std::string_view name)
{
    std::size_t at = url.find('?');
    while (at < url.size()) {
        const std::size_t begin = at + 1;
        at = std::min(url.find('&', begin), url.size());
        const std::string_view option = std::string_view{url}.substr(begin, at - begin);
        if (!option.starts_with(name) || option.substr(name.size(), 1) != "=") continue;
        const std::size_t value = begin + name.size() + 1;
        url.replace(value, at - value, "****");
        at = value + 4;
    }
    return url;
}

/// "postgresql://weir:****@db/weir": a URL without the passwords that it may hold.
std::string masked(const std::string& url)
{
    std::string shown = withoutValue(withoutValue(url, "password"), "sslpassword");
    const std::size_t scheme = shown.find("://");
    const std::size_t at = scheme == std::string::npos ? scheme : shown.rfind('@');
    if (at == std::string::npos || at < scheme) return shown;
    const std::size_t colon = shown.find(':', scheme + 3);
    if (colon == std::string::npos || colon > at) return shown;
    return shown.substr(0, colon + 1) + "****" + shown.substr(at);
}

Json toJson(const AgentConfig& agent)
{
    return {
        {"listen", text(agent.listen)},
        {"admin_listen", text(agent.adminListen)},
        {"service", agent.service},
        {"threads", agent.threads},
        {"client_keys_env", agent.clientKeysEnv},
        {"client_keys", agent.clientKeys.size()},
        {"cors_origins", agent.corsOrigins},
        {"admin_token_env", agent.adminTokenEnv},
        {"admin_token", agent.adminToken.masked()},
        {"optional_betas", agent.optionalBetas}};
}

Json toJson(const ProviderConfig& provider)
{
    return {
        {"protocol", toWord(provider.protocol)},
        {"base_url", provider.baseUrlText},
        {"api_key_env", provider.apiKeyEnv},
        {"api_key", provider.apiKey.masked()},
        {"ca_file", provider.caFile},
        {"connect_timeout_ms", provider.connectTimeout.count()},
        {"ttft_timeout_ms", provider.ttftTimeout.count()},
        {"idle_timeout_ms", provider.idleTimeout.count()},
        {"stream_options", provider.streamOptions},
        {"max_tokens_name", provider.maxTokensName},
        {"betas", provider.betas}};
}

Json toJson(const MirrorConfig& mirror)
{
    return {
        {"model", mirror.model},
        {"share", static_cast<double>(mirror.sharePpm) / 1e6},
        {"grader", mirror.grader}};
}

Json toJson(const TaskConfig& task)
{
    return {
        {"models", task.models},
        {"answer_model", task.answerModel},
        {"failure_text", task.failureText},
        {"failure_retry_after_s",
         task.failureRetryAfter ? Json(task.failureRetryAfter->count()) : Json(nullptr)},
        {"lowest_level", "L" + std::to_string(task.lowestLevel)},
        {"deadline_ms", task.deadline.count()},
        {"quality_floor", task.qualityFloor},
        {"mid_stream", toWord(task.midStream)},
        {"hedge", task.hedge},
        {"priority", toWord(task.priority)},
        {"mirror", task.mirror ? toJson(*task.mirror) : Json(nullptr)}};
}

Json toJson(const TimingConfig& timing)
{
    return {
        {"summary_interval_s", timing.summaryInterval.count()},
        {"summary_max_age_s", timing.summaryMaxAge.count()},
        {"settings_poll_s", static_cast<double>(timing.settingsPoll.count()) / 1000.0},
        {"settings_grace_s", timing.settingsGrace.count()},
        {"breaker_open_s", timing.breakerOpen.count()},
        {"ledger_flush_ms", timing.ledgerFlush.count()},
        {"drain_s", timing.drain.count()}};
}

Json toJson(const LimitsConfig& limits)
{
    return {
        {"head_bytes", limits.headBytes},
        {"body_bytes", limits.bodyBytes},
        {"sse_line_bytes", limits.sseLineBytes},
        {"client_connections", limits.clientConnections},
        {"client_write_stall_s", limits.clientWriteStall.count()},
        {"client_idle_s", limits.clientIdle.count()},
        {"total_s", limits.total.count()},
        {"spool_bytes", limits.spoolBytes}};
}

} // namespace

Json toJson(const Config& config)
{
    Json json{
        {"agent", toJson(config.agent)},
        {"store",
         {{"url", masked(config.store.url)},
          {"redis", masked(config.store.redis)},
          {"redis_password_env", config.store.redisPasswordEnv},
          {"ledger_days", config.store.ledgerDays}}},
        {"provider", Json::object()},
        {"model", Json::object()},
        {"task", Json::object()},
        {"timing", toJson(config.timing)},
        {"limits", toJson(config.limits)}};
    for (const auto& [name, provider] : config.providers)
        json["provider"][name] = toJson(provider);
    for (const auto& [name, model] : config.models) {
        Json routes = Json::array();
        for (const RouteConfig& route : model.routes)
            routes.push_back(toJson(route));
        json["model"][name] = {{"fixed_order", model.fixedOrder}, {"route", std::move(routes)}};
    }
    for (const auto& [name, task] : config.tasks)
        json["task"][name] = toJson(task);
    return json;
}

} // namespace weir
