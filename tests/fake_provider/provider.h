// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/counters.h"
#include "tests/fake_provider/draws.h"
#include "tests/fake_provider/plan.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

namespace weir::fake {

/// A request as it came: the head with its empty line, byte for byte, and the body without framing.
struct SeenRequest
{
    std::uint64_t number = 0;
    std::string head;
    std::string body;
    std::optional<std::uint64_t> billedMicroUsd; // once its answer was sent whole
};

/// A bucket of one second's depth: `take` says whether a request may pass at `now`.
class TokenBucket final
{
public:
    [[nodiscard]] bool take(double perSecond, Clock::time_point now);

private:
    double m_tokens = -1; // below 0: not used yet, starts full
    Clock::time_point m_last{};
};

/// The state behind all connections: the script, what was counted and seen, the cache. One thread.
class Provider final
{
public:
    /// Error code "bad_script".
    static Result<Provider> create(const nlohmann::json& script, Clock::time_point now);

    /// Merges `patch` into the script (RFC 7396: null takes a key back to its default).
    Status<> apply(const nlohmann::json& patch, Clock::time_point now);

    /// Back to the script of the start, nothing counted, nothing seen; connections stay.
    void reset(Clock::time_point now);

    /// The script that says how this request is answered: the one in force, or that of its turn. An
    /// answer that began under it ends under it.
    [[nodiscard]] std::shared_ptr<const Script> scriptFor(const Ask& ask)
    {
        return turnFor(ask).script;
    }

    /// Decides the whole answer. `read` says whether the request could be read, and is fit.
    [[nodiscard]] Plan
    plan(const Ask& ask, const Status<>& read, const Caller& caller, Clock::time_point now);

    void remember(SeenRequest request);

    /// To be called once the whole answer was sent.
    void bill(const Script& script, const Plan& plan);

    /// The script in force, without its turns.
    [[nodiscard]] const Script& script() const { return *m_base.script; }

    [[nodiscard]] const nlohmann::json& document() const { return m_document; }

    [[nodiscard]] const std::deque<SeenRequest>& seen() const { return m_seen; }

    Counters counters;

private:
    struct Turn
    {
        std::shared_ptr<const Script> script;
        std::uint64_t strikesLeft = 0; // of a script whose fault has `times`
    };

    static Result<Turn> readTurn(const nlohmann::json& document);
    [[nodiscard]] Turn& turnFor(const Ask& ask);
    bool refusedByRules(const Ask& ask, const Caller& caller, const Script& script, Plan& plan);
    bool limited(const Script& script, Plan& plan, Clock::time_point now);
    std::uint64_t cachedTokens(const Ask& ask, const Script& script, Clock::time_point now);

    struct CacheEntry
    {
        Clock::time_point expires;
    };

    nlohmann::json m_document;
    nlohmann::json m_startDocument;
    Turn m_base;
    std::vector<Turn> m_turns;
    Clock::time_point m_burstUntil{};
    TokenBucket m_capacity;
    Clock::time_point m_queueFree{};
    std::unordered_map<std::uint64_t, CacheEntry> m_cache;
    std::deque<SeenRequest> m_seen;
    std::uint64_t m_seenBytes = 0;
};

} // namespace weir::fake
