// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/provider.h"

#include "tests/fake_provider/content.h"

#include <algorithm>
#include <random>

namespace weir::fake {

namespace {

constexpr std::size_t kCacheEntriesMax = 100'000;

double share(Draws& random)
{
    return std::generate_canonical<double, 53>(random);
}

bool has(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

void refuse(Plan& plan, int status, std::string code, std::string message)
{
    plan.status = status;
    plan.errorCode = std::move(code);
    plan.errorMessage = std::move(message);
}

/// Each protocol's provider has words of its own for it.
bool overflows(const Ask& ask, const Script& script, Plan& plan)
{
    const std::uint64_t tokens = inputTokens(script, ask);
    const std::uint64_t window = script.contextTokens;
    if (window == 0 || tokens + ask.maxTokens.value_or(0) <= window) return false;
    const std::string have = std::to_string(tokens);
    const std::string most = std::to_string(window);
    if (ask.protocol == Protocol::OpenAi) {
        refuse(
            plan,
            400,
            "context_length_exceeded",
            "This model's maximum context length is " + most +
                " tokens. However, your messages resulted in " + have + " tokens.");
    } else {
        refuse(plan, 400, "", "prompt is too long: " + have + " tokens > " + most + " maximum");
    }
    return true;
}

/// Whether the script's fault or status meets this request; `left` counts down its `times`.
bool strikes(const Script& script, std::uint64_t& left, Draws& random)
{
    const bool scripted = script.fault != Fault::None || script.status != 200;
    if (!scripted || (script.times > 0 && left == 0)) return false;
    if (script.faultShare < 1 && share(random) >= script.faultShare) return false;
    if (script.times > 0) --left;
    return true;
}

/// One turn's script: what it says goes over the rest. Whether a tool is called is the turn's to
/// say, and not the user's.
nlohmann::json turnDocument(nlohmann::json base, const nlohmann::json& turn)
{
    base.erase("turns");
    base.erase("tool_calls");
    base["tools"] = turn.contains("tool_calls") ? "always" : "never";
    base.merge_patch(turn);
    return base;
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

Result<Provider::Turn> Provider::readTurn(const nlohmann::json& document)
{
    auto script = readScript(document);
    if (!script) return tl::unexpected<Error>(script.error());
    const std::uint64_t times = script->times;
    return Turn{std::make_shared<const Script>(std::move(*script)), times};
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
    auto base = readTurn(merged);
    if (!base) return tl::unexpected<Error>(base.error());
    std::vector<Turn> turns;
    for (const auto& each : merged.value("turns", nlohmann::json::array())) {
        auto turn = readTurn(turnDocument(merged, each));
        if (!turn) return tl::unexpected<Error>(turn.error());
        turns.push_back(std::move(*turn));
    }
    const bool strikesAnew = patch.contains("fault") || patch.contains("status") ||
                             patch.contains("times") || patch.contains("turns");
    if (!strikesAnew) {
        base->strikesLeft = m_base.strikesLeft;
        for (std::size_t at = 0; at < turns.size(); ++at)
            turns[at].strikesLeft = m_turns[at].strikesLeft;
    }
    m_base = std::move(*base);
    m_turns = std::move(turns);
    m_document = std::move(merged);
    if (patch.contains("burst_429_s")) m_burstUntil = now + seconds(script().burst429S);
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
    m_base = {};
    m_turns.clear();
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
           (m_seen.size() > script().keepRequests || m_seenBytes > script().keepBytes)) {
        m_seenBytes -= m_seen.front().head.size() + m_seen.front().body.size();
        m_seen.pop_front();
    }
}

void Provider::bill(const Script& script, const Plan& plan)
{
    const auto bill = billOf(script, plan);
    if (!bill) return;
    counters.billed[plan.model] += *bill;
    if (m_seen.empty() || plan.number < m_seen.front().number) return;
    const std::uint64_t at = plan.number - m_seen.front().number;
    if (at < m_seen.size()) m_seen[at].billedMicroUsd = bill->microUsd;
}

Provider::Turn& Provider::turnFor(const Ask& ask)
{
    std::uint64_t results = 0;
    for (Turn& turn : m_turns) {
        results += turn.script->toolCalls.size();
        if (ask.toolResults < results || &turn == &m_turns.back()) return turn;
    }
    return m_base;
}

Plan Provider::plan(
    const Ask& ask, const Status<>& read, const Caller& caller, Clock::time_point now)
{
    Plan plan;
    plan.number = counters.requests;
    plan.endpoint = ask.endpoint;
    plan.protocol = ask.protocol;
    plan.model = ask.model;
    plan.stream = ask.stream;
    plan.includeUsage = ask.includeUsage;
    if (!read) {
        const Error& error = read.error();
        if (error.code == "not_found") {
            refuse(plan, 404, "", error.detail);
        } else {
            refuse(plan, 400, error.code == "bad_request" ? "" : error.code, error.detail);
            plan.errorParam = error.where;
        }
        return plan;
    }
    Turn& turn = turnFor(ask);
    const Script& script = *turn.script;
    // A seed of its own for each request: overlapping requests cannot disturb each other's draws.
    Draws mixed(script.seed);
    Draws random(mixed() + plan.number);
    if (refusedByRules(ask, caller, script, plan)) return plan;
    if (plan.endpoint == Endpoint::Models) return plan;
    if (limited(script, plan, now)) return plan;
    if (strikes(script, turn.strikesLeft, random)) {
        plan.fault = script.fault;
        plan.status = script.status;
        if (plan.status != 200) plan.delay += seconds(script.statusDelayMs / 1000);
    }
    if (plan.status != 200) return plan;
    if (share(random) >= script.success) {
        refuse(plan, 503, "", "");
        plan.delay = std::chrono::milliseconds(300);
        return plan;
    }
    fillAnswer(script, ask, cachedTokens(ask, script, now), random, plan);
    return plan;
}

bool Provider::refusedByRules(
    const Ask& ask, const Caller& caller, const Script& script, Plan& plan)
{
    if (!script.expectKey.empty() && caller.key != script.expectKey) {
        ++counters.keysRejected;
        refuse(plan, 401, "", "");
        return true;
    }
    if (ask.endpoint != Endpoint::Models && !script.models.empty() &&
        !has(script.models, ask.model)) {
        refuse(plan, 404, "model_not_found", "The model `" + ask.model + "` does not exist");
        return true;
    }
    for (const std::string& parameter : script.rejectParams) {
        if (!has(ask.parameters, parameter)) continue;
        refuse(plan, 400, "unsupported_parameter", "Unsupported parameter: '" + parameter + "'");
        plan.errorParam = parameter;
        return true;
    }
    if (overflows(ask, script, plan)) return true;
    if (!script.prefill && !ask.prefill.empty()) {
        refuse(
            plan,
            400,
            "",
            "This model does not support assistant message prefill. The conversation must end with "
            "a user message.");
        return true;
    }
    return false;
}

bool Provider::limited(const Script& script, Plan& plan, Clock::time_point now)
{
    if (now < m_burstUntil) {
        refuse(plan, 429, "", "");
        const auto left = std::chrono::ceil<std::chrono::seconds>(m_burstUntil - now);
        plan.retryAfter = script.retryAfter.empty() ? std::to_string(left.count()) : "";
        return true;
    }
    if (script.capacityRps > 0 && !m_capacity.take(script.capacityRps, now)) {
        refuse(plan, 429, "", "");
        // Not "1" itself: at -O2 GCC 12 sees an overlap in the assignment that is not there.
        plan.retryAfter = script.retryAfter.empty() ? std::to_string(1) : std::string{};
        return true;
    }
    if (script.queueRps > 0) {
        m_queueFree = std::max(m_queueFree, now) + seconds(1 / script.queueRps);
        plan.delay = m_queueFree - now;
    }
    return false;
}

std::uint64_t Provider::cachedTokens(const Ask& ask, const Script& script, Clock::time_point now)
{
    if (script.cachedTokens) return *script.cachedTokens;
    if (script.cacheHitWarm <= 0) return 0;
    if (m_cache.size() > kCacheEntriesMax) m_cache.clear();
    double known = 0;
    for (const PromptPrefix& prefix : ask.prefixes) {
        CacheEntry& entry = m_cache[prefix.hash];
        if (entry.expires > now) known = static_cast<double>(prefix.tokens);
        entry.expires = now + seconds(script.cacheTtlS);
    }
    return static_cast<std::uint64_t>(known * script.cacheHitWarm);
}

} // namespace weir::fake
