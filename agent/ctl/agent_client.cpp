// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/agent_client.h"

#include "agent/net/clock.h"
#include "common/base/text.h"
#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

namespace weir::ctl {
namespace {

/// A status of hundreds of routes is some hundred kilobytes.
constexpr std::size_t kLargestStatus = 16 * 1048576;

/// {"error": {"message": …}}, or nothing.
std::string messageOf(const std::string& body)
{
    const auto json = nlohmann::json::parse(body, nullptr, false);
    if (!json.is_object() || !json.contains("error") || !json["error"].is_object()) return {};
    const auto& message = json["error"].value("message", nlohmann::json{});
    return message.is_string() ? cleaned(message.get<std::string>()) : std::string{};
}

tl::unexpected<Error> refusal(int status, const std::string& body, const AgentAddress& agent)
{
    if (status == 401 || status == 403) {
        const bool sent = !agent.token.empty();
        return fail(
            "refused",
            agent.text,
            sent ? "refuses the token: is it the one of this agent's admin_token_env?"
                 : "asks for a token: name the variable that holds it with --token-env");
    }
    const std::string message = messageOf(body);
    if (status == 404) {
        return fail(
            "refused", agent.text, "is no admin address of a Weir agent (by default port 8791)");
    }
    return fail(
        "refused",
        agent.text,
        "answers " + std::to_string(status) + (message.empty() ? "" : ": " + message));
}

Result<std::string> readAll(HttpCall& get, const std::string& where)
{
    const Instant deadline = net::monotonicNow() + kAnswerTimeout;
    std::string body;
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - net::monotonicNow());
        const Result<HttpCall::Read> read = get.read(body, left);
        if (!read) return tl::unexpected{read.error()};
        if (*read == HttpCall::Read::Ended) return body;
        if (*read == HttpCall::Read::TimedOut)
            return fail("timeout", where, "stopped in the middle of its answer");
        if (body.size() > kLargestStatus)
            return fail("bad_answer", where, "the answer is too long");
    }
}

Result<StatusDocument> documentOf(std::string json, const std::string& where)
{
    Result<AgentStatus> status = statusFromJson(json);
    if (!status)
        return fail("bad_status", where, "answers no status: is it a Weir agent's admin address?");
    return StatusDocument{std::move(json), std::move(*status)};
}

} // namespace

Result<StatusDocument> fetchStatus(Waiter& waiter, const AgentAddress& agent)
{
    Result<HttpCall> get = HttpCall::open(waiter, agent, std::string{kStatusPath}, kAnswerTimeout);
    if (!get) return tl::unexpected{get.error()};
    Result<std::string> body = readAll(*get, agent.text);
    if (!body) return tl::unexpected{body.error()};
    if (get->status() != 200) return refusal(get->status(), *body, agent);
    return documentOf(std::move(*body), agent.text);
}

LiveStream::LiveStream(HttpCall get, std::string where)
    : m_get(std::move(get))
    , m_where(std::move(where))
    , m_framer(kLargestStatus)
{
}

Result<LiveStream> LiveStream::open(Waiter& waiter, const AgentAddress& agent)
{
    Result<HttpCall> get = HttpCall::open(waiter, agent, std::string{kLivePath}, kAnswerTimeout);
    if (!get) return tl::unexpected{get.error()};
    if (get->status() == 200) return LiveStream{std::move(*get), agent.text};
    const Result<std::string> body = readAll(*get, agent.text);
    return refusal(get->status(), body.value_or(std::string{}), agent);
}

Result<std::optional<StatusDocument>> LiveStream::next(std::chrono::milliseconds timeout)
{
    const Instant deadline = net::monotonicNow() + timeout;
    for (;;) {
        protocol::SseEvent event;
        while (m_framer.next(event)) {
            if (event.commentOnly || event.name != "snapshot") continue;
            Result<StatusDocument> document = documentOf(std::string{event.data}, m_where);
            if (!document) return tl::unexpected{document.error()};
            return std::optional{std::move(*document)};
        }
        if (m_framer.overflowed()) return fail("bad_answer", m_where, "a snapshot is too long");
        m_bytes.clear();
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - net::monotonicNow());
        const Result<HttpCall::Read> read = m_get.read(m_bytes, left);
        if (!read) return tl::unexpected{read.error()};
        if (*read == HttpCall::Read::Ended)
            return fail("ended", m_where, "the agent ended the stream");
        if (*read == HttpCall::Read::TimedOut) return std::optional<StatusDocument>{};
        m_framer.feed(m_bytes);
    }
}

} // namespace weir::ctl
