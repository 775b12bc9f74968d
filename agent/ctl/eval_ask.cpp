// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/eval_ask.h"

#include "agent/net/clock.h"
#include "agent/protocol/classify.h"
#include "common/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

/// Longer than an agent lets an answer live (`limits.total_s`), unless that was raised.
constexpr std::chrono::minutes kAnswerWait{11};
constexpr std::chrono::seconds kWaitMin{1};
constexpr std::chrono::seconds kWaitMax{30};
constexpr std::size_t kLargestAnswer = 64 * 1048576;

std::optional<std::int64_t> countIn(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
}

/// Out of the member `weir` that the run asks for.
EvalUse useIn(const std::string& body)
{
    EvalUse use;
    const Json json = Json::parse(body, nullptr, false);
    const auto weir = json.is_object() ? json.find("weir") : json.end();
    if (!json.is_object() || weir == json.end() || !weir->is_object()) return use;
    use.costMicroUsd = countIn(*weir, "cost_micro_usd");
    const auto usage = weir->find("usage");
    if (usage == weir->end() || !usage->is_object()) return use;
    use.outputTokens = countIn(*usage, "output");
    use.inputTokens = countIn(*usage, "input_uncached");
    for (const char* key : {"input_cached", "cache_write"}) {
        if (use.inputTokens) *use.inputTokens += countIn(*usage, key).value_or(0);
    }
    return use;
}

/// The whole body, or what went wrong.
Status<> readAll(HttpCall& call, Instant deadline, std::string& body)
{
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - net::monotonicNow());
        if (left.count() <= 0) return fail("timeout", "", "stopped in the middle of its answer");
        const Result<HttpCall::Read> read = call.read(body, left);
        if (!read) return tl::unexpected{read.error()};
        if (*read == HttpCall::Read::Ended) return {};
        // What is not the deadline is an interrupt.
        if (*read == HttpCall::Read::TimedOut) return fail("interrupted", "", "interrupted");
        if (body.size() > kLargestAnswer) return fail("bad_answer", "", "the answer is too long");
    }
}

bool passes(Outcome outcome)
{
    return outcome == Outcome::RateLimited || outcome == Outcome::Overloaded ||
           outcome == Outcome::ServerError || outcome == Outcome::ConnectFailed ||
           outcome == Outcome::Reset;
}

/// An answer that is an error: a refusal of the prompt is an answer all the same.
void readFailure(const HttpCall& call, const std::string& body, EvalReply& reply)
{
    std::vector<std::pair<std::string, std::string>> kept;
    std::vector<http::Field> fields;
    for (const char* name : {"Retry-After", "x-should-retry"}) {
        const std::string value = call.field(name);
        if (!value.empty()) kept.emplace_back(name, value);
    }
    for (const auto& [name, value] : kept)
        fields.push_back({name, value});
    const protocol::Failure failure =
        protocol::classify(call.status(), fields, body, net::utcNow());
    if (failure.outcome == Outcome::Refused) {
        reply.answer = quality::Answer{{}, {}, quality::Ending::Refused};
        return;
    }
    const bool isOurs = call.field("X-Weir-Provider").empty();
    reply.isHopeless = isOurs && call.status() == 401;
    reply.trouble = std::to_string(call.status()) + " " + std::string{toWord(failure.outcome)};
    // Weir's own words name routes and rules, never a prompt; a provider's may quote anything.
    if (isOurs) reply.trouble += ": " + cleaned(failure.error.message, 500);
    if (reply.isHopeless) reply.trouble = "401: it asks for a client key, see --key-env";
    if (passes(failure.outcome) && failure.shouldRetry.value_or(true)) {
        reply.again = failure.retryAfter.value_or(kWaitMin);
    }
}

} // namespace

void EvalUse::add(const EvalUse& more)
{
    const auto sum = [](std::optional<std::int64_t>& to, std::optional<std::int64_t> part) {
        if (part) to = to.value_or(0) + *part;
    };
    sum(inputTokens, more.inputTokens);
    sum(outputTokens, more.outputTokens);
    sum(costMicroUsd, more.costMicroUsd);
}

std::string
evalBody(const std::string& request, const std::string& model, const std::string& provider)
{
    Json body{{"model", model}};
    body.update(Json::parse(request));
    if (!provider.empty()) {
        body["provider"] = {{"only", Json::array({provider})}, {"allow_fallbacks", false}};
    }
    return body.dump();
}

EvalReply askOnce(Waiter& waiter, const EvalPlan& plan, const std::string& body)
{
    EvalReply reply;
    HttpAsk ask;
    ask.method = "POST";
    ask.target = "/v1/chat/completions";
    ask.fields = plan.fields;
    ask.body = body;
    const Instant started = net::monotonicNow();
    Result<HttpCall> call = HttpCall::open(waiter, plan.address, ask, kAnswerWait);
    if (!call) {
        reply.trouble = call.error().text();
        reply.isHopeless = call.error().code != "timeout";
        return reply;
    }
    std::string text;
    const Status<> read = readAll(*call, started + kAnswerWait, text);
    reply.took =
        std::chrono::duration_cast<std::chrono::milliseconds>(net::monotonicNow() - started);
    if (!read) {
        reply.trouble = read.error().text();
        return reply;
    }
    if (call->status() != 200) {
        readFailure(*call, text, reply);
        return reply;
    }
    reply.use = useIn(text);
    Result<quality::Answer> answer = quality::readChatAnswer(text);
    if (answer)
        reply.answer = std::move(*answer);
    else
        reply.trouble = "the answer " + answer.error().detail;
    return reply;
}

EvalReply askPatiently(Waiter& waiter, const EvalPlan& plan, const std::string& body)
{
    const Instant until = net::monotonicNow() + plan.patience;
    std::chrono::milliseconds wait = kWaitMin;
    for (;;) {
        EvalReply reply = askOnce(waiter, plan, body);
        if (reply.answer || !reply.again || waiter.quitAsked()) return reply;
        const auto pause =
            std::clamp<std::chrono::milliseconds>(std::max(*reply.again, wait), kWaitMin, kWaitMax);
        if (net::monotonicNow() + pause > until) return reply;
        waiter.pause(pause);
        if (waiter.quitAsked()) return reply;
        wait *= 2;
    }
}

} // namespace weir::ctl
