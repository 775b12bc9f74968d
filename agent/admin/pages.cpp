// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/pages.h"

#include "agent/admin/metrics.h"
#include "agent/admin/mirror_metrics.h"
#include "agent/admin/task_metrics.h"
#include "common/base/text.h"
#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>

namespace weir::admin {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDecisionsStandard = 50;
constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kDecisionsPath = "/admin/v1/decisions";

std::string text(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer jsonAnswer(int status, std::string body)
{
    Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    return answer;
}

/// The value of `name` in "a=1&b=2"; nothing where it is missing.
std::optional<std::string_view> parameter(std::string_view query, std::string_view name)
{
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        if (part.substr(0, equals) != name) continue;
        return equals == std::string_view::npos ? "" : part.substr(equals + 1);
    }
    return std::nullopt;
}

} // namespace

Answer errorAnswer(int status, std::string_view type, std::string_view message)
{
    return jsonAnswer(status, text({{"error", {{"type", type}, {"message", message}}}}));
}

Pages::Pages(
    Sources sources,
    const LiveStats& stats,
    const RecentDecisions& decisions,
    std::function<Now()> now,
    Secret token)
    : m_sources(std::move(sources))
    , m_stats(stats)
    , m_decisions(decisions)
    , m_now(std::move(now))
    , m_token(std::move(token))
{
}

Answer Pages::answer(const http::RequestHead& request) const
{
    if (!mayRead(request)) {
        Answer answer =
            errorAnswer(401, "unauthorized", "send the admin token as \"Authorization: Bearer …\"");
        answer.extra = {"WWW-Authenticate", "Bearer"};
        return answer;
    }
    if (request.method != "GET" && request.method != "HEAD") {
        Answer answer = errorAnswer(405, "method_not_allowed", "the admin pages are read with GET");
        answer.extra = {"Allow", "GET, HEAD"};
        return answer;
    }
    const std::size_t mark = request.target.find('?');
    const std::string_view path = request.target.substr(0, mark);
    const std::string_view query =
        mark == std::string_view::npos ? std::string_view{} : request.target.substr(mark + 1);
    return page(path, query);
}

bool Pages::mayRead(const http::RequestHead& request) const
{
    if (m_token.empty()) return true;
    const std::optional<std::string_view> field = request.find("authorization");
    if (!field || field->size() < kBearer.size()) return false;
    if (!equalsIgnoreCase(field->substr(0, kBearer.size()), kBearer)) return false;
    return m_token.equals(trimmed(field->substr(kBearer.size())));
}

Answer Pages::page(std::string_view path, std::string_view query) const
{
    if (path == "/livez") return jsonAnswer(200, R"({"status":"ok"})");
    if (path == "/readyz") return readiness();
    if (path == "/admin/v1/status") return jsonAnswer(200, statusJson());
    if (path == "/metrics") return metrics();
    if (path == "/admin/v1/live") {
        Answer answer;
        answer.type = "text/event-stream";
        answer.live = true;
        return answer;
    }
    if (path == kDecisionsPath) return decisionList(query);
    if (path.starts_with(kDecisionsPath) && path.substr(kDecisionsPath.size()).starts_with('/')) {
        return decision(path.substr(kDecisionsPath.size() + 1));
    }
    return errorAnswer(
        404,
        "not_found",
        "the admin pages are /livez, /readyz, /metrics, /admin/v1/status, /admin/v1/live, "
        "/admin/v1/decisions and /admin/v1/decisions/{request_id}");
}

Answer Pages::metrics() const
{
    const Now now = m_now();
    const AgentStatus status = buildStatus(m_sources, m_stats, now);
    std::string text =
        metricsText(status, m_stats.totals(), m_sources.routes(), m_sources.ledger().lostRows);
    text += taskMetricsText(m_stats.requests(now.instant), *m_sources.budgets());
    if (m_sources.mirrors) text += mirrorMetrics(m_sources.mirrors());
    Answer answer = jsonAnswer(200, std::move(text));
    answer.type = kMetricsType;
    return answer;
}

Answer Pages::readiness() const
{
    if (m_sources.draining()) return jsonAnswer(503, R"({"status":"draining"})");
    if (!m_ready) return jsonAnswer(503, R"({"status":"starting"})");
    return jsonAnswer(200, R"({"status":"ok"})");
}

Answer Pages::decisionList(std::string_view query) const
{
    std::size_t limit = kDecisionsStandard;
    if (const auto wanted = parameter(query, "limit")) {
        const char* end = wanted->data() + wanted->size();
        const auto read = std::from_chars(wanted->data(), end, limit);
        if (read.ec != std::errc{} || read.ptr != end || limit == 0 ||
            limit > RecentDecisions::kAttemptsMax) {
            return errorAnswer(400, "bad_limit", "limit is a whole number from 1 to 1000");
        }
    }
    return jsonAnswer(200, decisionListJson(m_decisions.newest(limit)));
}

Answer Pages::decision(std::string_view requestId) const
{
    const RecentDecisions::Attempts attempts = m_decisions.find(requestId);
    if (attempts.empty()) {
        return errorAnswer(
            404,
            "unknown_request",
            "no attempt of this request is among the last 1000; the ledger has the older ones");
    }
    return jsonAnswer(200, decisionJson(attempts, m_sources.summary().get()));
}

std::string Pages::statusJson() const
{
    return text(toJson(buildStatus(m_sources, m_stats, m_now())));
}

std::string Pages::snapshotEvent() const
{
    return "event: snapshot\ndata: " + statusJson() + "\n\n";
}

} // namespace weir::admin
