// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gate_codec.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::fleet {

/// One agent's message as it lay in the inbox.
struct Letter
{
    std::string agent;
    std::string number;
    /// When it came, on the fleet's time line.
    std::int64_t atMs = 0;
    std::string message;
};

/// "NUMBER TIME MESSAGE"; a number of "" where it is none of these.
[[nodiscard]] Letter letterFrom(std::string agent, std::string_view text);

/// Everything that the fleet knows of one provider's gates, in the hands of the one agent whose
/// turn it is. What it knows before and the letters decide alone what it knows after.
class GateTurn final
{
public:
    /// What to begin a route with of which nothing is known.
    using Beginning = std::function<SharedGate(const std::string& model, bool everUsed)>;

    /// `nowMs`: on the fleet's time line; what claims to be later cannot be.
    GateTurn(std::string provider, std::int64_t nowMs, Beginning beginning);

    /// Fields of the gate's hash as they are in Redis; what cannot be read counts as not there.
    void setGate(std::string_view field, std::string_view value);

    void setUsed(std::string model) { m_used.insert(std::move(model)); }

    /// Where no account could be read: this one.
    void setAccount(const routing::AccountHold& account);

    [[nodiscard]] bool hasAccount() const { return m_hasAccount; }

    /// Steps every letter, as if each had been answered when it came.
    void step(std::vector<Letter> letters);

    /// All fields of the gate's hash that are to be written.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> fields() const;

    [[nodiscard]] const std::map<std::string, SharedGate>& routes() const { return m_routes; }

    [[nodiscard]] const routing::AccountHold& account() const { return m_account; }

    /// Models that have ever been sent anything.
    [[nodiscard]] const std::set<std::string>& used() const { return m_used; }

    /// Those for the first time.
    [[nodiscard]] const std::set<std::string>& newlyUsed() const { return m_newlyUsed; }

    /// Those that were stepped, and those that could not be read.
    [[nodiscard]] const std::vector<Letter>& letters() const { return m_letters; }

    /// By agent.
    [[nodiscard]] const std::map<std::string, ReplyMessage>& replies() const { return m_replies; }

    /// What happened, by model.
    [[nodiscard]] const std::vector<std::pair<std::string, routing::GateEvent>>& events() const
    {
        return m_events;
    }

private:
    void stepRoute(RouteReport route, std::int64_t shiftMs, std::int64_t atMs, ReplyMessage& reply);

    std::string m_provider;
    std::int64_t m_nowMs;
    Beginning m_beginning;
    std::map<std::string, SharedGate> m_routes;
    routing::AccountHold m_account;
    bool m_hasAccount = false;
    std::set<std::string> m_used;
    std::set<std::string> m_newlyUsed;
    std::vector<Letter> m_letters;
    std::map<std::string, ReplyMessage> m_replies;
    std::vector<std::pair<std::string, routing::GateEvent>> m_events;
};

} // namespace weir::fleet
