// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/local_gates.h"

#include <charconv>

namespace weir::fleet {
namespace {

/// Stands first; a reader refuses what it does not know.
constexpr std::string_view kVersion = "gate1";

class Writer final
{
public:
    template <class T>
    void field(T& value)
    {
        m_text += ' ' + std::to_string(static_cast<std::int64_t>(value));
    }

    [[nodiscard]] std::string take() { return std::string{kVersion} + m_text; }

private:
    std::string m_text;
};

class Reader final
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    template <class T>
    void field(T& value)
    {
        std::int64_t number = 0;
        if (m_text.empty() || m_text.front() != ' ') {
            m_failed = true;
            return;
        }
        const char* const end = m_text.data() + m_text.size();
        const auto [at, error] = std::from_chars(m_text.data() + 1, end, number);
        if (error != std::errc{}) m_failed = true;
        m_text.remove_prefix(static_cast<std::size_t>(at - m_text.data()));
        value = static_cast<T>(number);
    }

    [[nodiscard]] bool good() const { return !m_failed && m_text.empty(); }

private:
    std::string_view m_text;
    bool m_failed = false;
};

/// What lasts, in one order for both directions. Not what is in flight, nor the evidence: after a
/// restart it begins anew, so that nothing is cut for what happened before.
template <class Visitor, class State, class Account>
void visit(Visitor& to, State& state, Account& account)
{
    to.field(state.version);
    to.field(state.rate.rateMicro);
    to.field(state.rate.referenceMicro);
    to.field(state.rate.lastCutMs);
    to.field(state.rate.beforeTroubleMicro);
    to.field(state.rate.troubleMs);
    to.field(state.rate.slowStart);
    to.field(state.breaker.state);
    to.field(state.breaker.opens);
    to.field(state.breaker.opensEver);
    to.field(state.breaker.openUntilMs);
    to.field(state.breaker.closedMs);
    to.field(state.breaker.rateBeforeMicro);
    to.field(state.cap.capMicro);
    to.field(state.cap.kneeMicro);
    to.field(state.cap.confirmedMs);
    to.field(state.cap.falls);
    to.field(state.misconfiguredUntilMs);
    to.field(account.kind);
    to.field(account.sinceMs);
    to.field(account.untilMs);
    to.field(account.releasedMs);
    to.field(account.releases);
}

bool isPlausible(const routing::GateState& state, const routing::AccountHold& account)
{
    const auto breaker = static_cast<int>(state.breaker.state);
    const auto kind = static_cast<int>(account.kind);
    return breaker >= 0 && breaker <= static_cast<int>(BreakerState::HalfOpen) && kind >= 0 &&
           kind <= static_cast<int>(HoldKind::Misconfigured) && state.rate.rateMicro >= 0 &&
           state.rate.rateMicro <= routing::kMicroMax && state.version >= 0;
}

} // namespace

std::string encodeGate(const routing::GateState& state, const routing::AccountHold& account)
{
    Writer writer;
    visit(writer, state, account);
    return writer.take();
}

Status<> decodeGate(std::string_view text, routing::GateState& state, routing::AccountHold& account)
{
    routing::GateState read = routing::newGate(true);
    routing::AccountHold hold;
    if (text.starts_with(kVersion)) {
        Reader reader(text.substr(kVersion.size()));
        visit(reader, read, hold);
        if (reader.good() && isPlausible(read, hold)) {
            // A slow start that was under way goes on.
            read.everUsed = !read.rate.slowStart;
            // Probes of the process that ended are lost: it opens anew, and is probed at once.
            if (read.breaker.state == BreakerState::HalfOpen)
                read.breaker.state = BreakerState::Open;
            state = read;
            account = hold;
            return {};
        }
    }
    return fail("bad_gate_state", "", "not the state of a gate");
}

} // namespace weir::fleet
