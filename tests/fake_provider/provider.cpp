// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/provider.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace weir::fake {

namespace {

constexpr std::size_t kCacheEntriesMax = 100'000;

Clock::duration seconds(double value)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

double share(Draws& random)
{
    return std::generate_canonical<double, 53>(random);
}

double draw(const Spread& spread, Draws& random)
{
    if (spread.median <= 0 || spread.sigma <= 0) return spread.median;
    return spread.median * std::exp(std::normal_distribution<double>(0, spread.sigma)(random));
}

bool wantsTool(const Script& script, const Ask& ask)
{
    if (script.tools == ToolUse::Never || (!ask.firstTool && script.toolCalls.empty()))
        return false;
    if (script.tools == ToolUse::Always) return true;
    if (ask.toolAnswered || !ask.firstTool) return false;
    return ask.toolDemanded || ask.lastUserText.find("use a tool") != std::string::npos;
}

} // namespace

bool TokenBucket::take(double perSecond, Clock::time_point now)
{
    const double depth = std::max(perSecond, 1.0);
    const double waited = std::chrono::duration<double>(now - m_last).count();
    m_tokens = m_tokens < 0 ? depth : std::min(depth, m_tokens + waited * perSecond);
    m_last = now;
    if (m_tokens < 1) return false;
    m_tokens -= 1;
    return true;
}

Result<Provider> Provider::create(const nlohmann::json& script, Clock::time_point now)
{
    Provider provider;
    provider.m_document = nlohmann::json::object();
    if (auto applied = provider.apply(script, now); !applied)
        return tl::unexpected<Error>(applied.error());
    provider.m_startDocument = provider.m_document;
    return provider;
}

Status<> Provider::apply(const nlohmann::json& patch, Clock::time_point now)
{
    nlohmann::json merged = m_document;
    if (!patch.is_object()) return fail("bad_script", "script", "must be a JSON object");
    for (const auto& [name, value] : patch.items()) {
        // The two ways to say how long the first token takes replace one another.
        if (name == "ttft_ms") merged.erase("ttft_s");
        if (name == "ttft_s") merged.erase("ttft_ms");
        merged[name] = value;
    }
    auto script = readScript(merged);
    if (!script) return tl::unexpected<Error>(script.error());
    m_script = std::make_shared<const Script>(std::move(*script));
    m_document = std::move(merged);
    for (const char* name : {"fault", "status", "times"}) {
        if (patch.contains(name)) m_strikesLeft = m_script->times;
    }
    if (patch.contains("burst_429_s")) m_burstUntil = now + seconds(m_script->burst429S);
    if (patch.contains("capacity_rps")) m_capacity = {};
    return {};
}

void Provider::reset(Clock::time_point now)
{
    const std::uint64_t open = counters.connectionsOpen;
    const std::uint64_t inFlight = counters.inFlight;
    counters = {};
    counters.connectionsOpen = open;
    counters.inFlight = inFlight;
    const nlohmann::json start = m_startDocument;
    m_document = nlohmann::json::object();
    m_burstUntil = {};
    m_strikesLeft = 0;
    m_capacity = {};
    m_queueFree = {};
    m_cache.clear();
    m_seen.clear();
    m_seenBytes = 0;
    // It was read once already, so it reads again.
    static_cast<void>(apply(start, now));
}

void Provider::remember(SeenRequest request)
{
    m_seenBytes += request.head.size() + request.body.size();
    m_seen.push_back(std::move(request));
    while (!m_seen.empty() &&
           (m_seen.size() > m_script->keepRequests || m_seenBytes > m_script->keepBytes)) {
        m_seenBytes -= m_seen.front().head.size() + m_seen.front().body.size();
        m_seen.pop_front();
    }
}

Plan Provider::plan(const Result<Ask>& ask, std::string_view key, Clock::time_point now)
{
    Plan plan;
    plan.number = counters.requests;
    if (!ask) {
        refuse(plan, ask.error().code == "not_found" ? 404 : 400, "", ask.error().detail);
        return plan;
    }
    plan.endpoint = ask->endpoint;
    plan.protocol = ask->protocol;
    plan.model = ask->model;
    plan.stream = ask->stream;
    plan.includeUsage = ask->includeUsage;
    // A seed of its own for each request: overlapping requests cannot disturb each other's draws.
    Draws mixed(m_script->seed);
    Draws random(mixed() + plan.number);
    if (refusedByRules(*ask, key, plan)) return plan;
    if (plan.endpoint == Endpoint::Models) return plan;
    if (limited(plan, now)) return plan;
    strike(plan, random);
    if (plan.status != 200) return plan;
    if (share(random) >= m_script->success) {
        refuse(plan, 503, "", "");
        plan.delay = std::chrono::milliseconds(300);
        return plan;
    }
    fillAnswer(*ask, plan, random, now);
    return plan;
}

void Provider::refuse(Plan& plan, int status, std::string code, std::string message) const
{
    plan.status = status;
    plan.errorCode = std::move(code);
    plan.errorMessage = std::move(message);
}

bool Provider::refusedByRules(const Ask& ask, std::string_view key, Plan& plan)
{
    if (!m_script->expectKey.empty() && key != m_script->expectKey) {
        ++counters.keysRejected;
        refuse(plan, 401, "", "");
        return true;
    }
    const auto has = [](const std::vector<std::string>& list, const std::string& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    if (ask.endpoint != Endpoint::Models && !m_script->models.empty() &&
        !has(m_script->models, ask.model)) {
        refuse(plan, 404, "model_not_found", "The model `" + ask.model + "` does not exist");
        return true;
    }
    for (const std::string& parameter : m_script->rejectParams) {
        if (!has(ask.parameters, parameter)) continue;
        refuse(plan, 400, "unsupported_parameter", "Unsupported parameter: '" + parameter + "'");
        return true;
    }
    return false;
}

bool Provider::limited(Plan& plan, Clock::time_point now)
{
    if (now < m_burstUntil) {
        refuse(plan, 429, "", "");
        const auto left = std::chrono::ceil<std::chrono::seconds>(m_burstUntil - now);
        plan.retryAfter = m_script->retryAfter.empty() ? std::to_string(left.count()) : "";
        return true;
    }
    if (m_script->capacityRps > 0 && !m_capacity.take(m_script->capacityRps, now)) {
        refuse(plan, 429, "", "");
        plan.retryAfter = m_script->retryAfter.empty() ? "1" : "";
        return true;
    }
    if (m_script->queueRps > 0) {
        m_queueFree = std::max(m_queueFree, now) + seconds(1 / m_script->queueRps);
        plan.delay = m_queueFree - now;
    }
    return false;
}

void Provider::strike(Plan& plan, Draws& random)
{
    const bool scripted = m_script->fault != Fault::None || m_script->status != 200;
    if (!scripted || (m_script->times > 0 && m_strikesLeft == 0)) return;
    if (m_script->faultShare < 1 && share(random) >= m_script->faultShare) return;
    if (m_script->times > 0) --m_strikesLeft;
    plan.fault = m_script->fault;
    plan.status = m_script->status;
    if (plan.status != 200) plan.delay += seconds(m_script->statusDelayMs / 1000);
}

void Provider::fillAnswer(const Ask& ask, Plan& plan, Draws& random, Clock::time_point now)
{
    plan.embeddings = ask.embeddingInputs;
    plan.usage.input = m_script->inputTokens.value_or(ask.inputTokens);
    plan.usage.cached = std::min(plan.usage.input, cachedTokens(ask, now));
    plan.usage.created =
        std::min(plan.usage.input - plan.usage.cached, m_script->cacheCreationTokens);
    plan.usage.reasoning = m_script->reasoningTokens;
    plan.finishReason = "stop";
    if (wantsTool(*m_script, ask)) {
        plan.calls = m_script->toolCalls;
        if (plan.calls.empty()) plan.calls.push_back(*ask.firstTool);
        plan.finishReason = "tool_calls";
        for (const ToolCall& call : plan.calls)
            plan.usage.output += 8 + (call.arguments.size() + 3) / 4;
    } else {
        if (m_script->echo)
            plan.words = wordsOf(ask.lastUserText);
        else if (m_script->text)
            plan.words = wordsOf(*m_script->text);
        const bool given = m_script->echo || m_script->text;
        plan.textTokens = given ? plan.words.size()
                                : static_cast<std::uint64_t>(std::max(
                                      1.0, std::round(draw(m_script->outputTokens, random))));
        if (ask.maxTokens && *ask.maxTokens < plan.textTokens) {
            plan.textTokens = *ask.maxTokens;
            plan.finishReason = "length";
        }
        plan.usage.output = plan.textTokens;
    }
    plan.usage.output += plan.usage.reasoning;
    if (!m_script->finishReason.empty()) plan.finishReason = m_script->finishReason;
    const double cachedShare = plan.usage.input == 0 ? 0
                                                     : static_cast<double>(plan.usage.cached) /
                                                           static_cast<double>(plan.usage.input);
    const double factor = 1 - cachedShare * (1 - m_script->ttftCachedFactor);
    plan.delay += seconds(draw(m_script->ttftS, random) * factor);
    plan.tokensPerS = draw(m_script->tokensPerS, random);
}

std::uint64_t Provider::cachedTokens(const Ask& ask, Clock::time_point now)
{
    if (m_script->cachedTokens) return *m_script->cachedTokens;
    if (m_script->cacheHitWarm <= 0) return 0;
    if (m_cache.size() > kCacheEntriesMax) m_cache.clear();
    double known = 0;
    for (const PromptPrefix& prefix : ask.prefixes) {
        CacheEntry& entry = m_cache[prefix.hash];
        if (entry.expires > now) known = static_cast<double>(prefix.tokens);
        entry.expires = now + seconds(m_script->cacheTtlS);
    }
    return static_cast<std::uint64_t>(known * m_script->cacheHitWarm);
}

} // namespace weir::fake
