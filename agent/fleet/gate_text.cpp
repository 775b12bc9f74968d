// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_text.h"

#include "agent/fleet/gate_fields.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace weir::fleet {
namespace {

/// Stands first; a reader refuses what it does not know.
constexpr std::string_view kVersion = "gate1";

class Writer final
{
public:
    template <class T>
    void number(const T& value)
    {
        m_text += ' ' + std::to_string(static_cast<std::int64_t>(value));
    }

    void wide(std::int64_t value) { number(value); }

    void rate(std::int64_t micro) { number(micro); }

    template <class T>
    void bounded(const T& value, std::int64_t, std::int64_t)
    {
        number(value);
    }

    void flag(bool value) { number(value); }

    template <class T>
    void word(const T& value, T)
    {
        number(value);
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
    void number(T& value)
    {
        bounded(value, 0, std::numeric_limits<std::int64_t>::max());
    }

    void wide(std::int64_t& value) { bounded(value, routing::kNeverMs, -routing::kNeverMs); }

    void rate(std::int64_t& micro) { bounded(micro, 0, routing::kMicroMax); }

    template <class T>
    void bounded(T& value, std::int64_t least, std::int64_t most)
    {
        std::int64_t number = 0;
        if (m_text.empty() || m_text.front() != ' ') {
            m_failed = true;
            return;
        }
        const char* const end = m_text.data() + m_text.size();
        const auto [at, error] = std::from_chars(m_text.data() + 1, end, number);
        if (error != std::errc{} || number < least || number > most) m_failed = true;
        m_text.remove_prefix(static_cast<std::size_t>(at - m_text.data()));
        if (!m_failed) value = static_cast<T>(number);
    }

    void flag(bool& value) { bounded(value, 0, 1); }

    template <class T>
    void word(T& value, T last)
    {
        bounded(value, 0, static_cast<std::int64_t>(last));
    }

    [[nodiscard]] bool good() const { return !m_failed && m_text.empty(); }

private:
    std::string_view m_text;
    bool m_failed = false;
};

} // namespace

/// Not what is in flight, nor the evidence: after a restart it begins anew, so that nothing is cut
/// for what happened before.
std::string encodeGate(const routing::GateState& state, const routing::AccountHold& account)
{
    Writer writer;
    lastingFields(writer, state);
    lastingHoldFields(writer, account);
    return writer.take();
}

Status<> decodeGate(std::string_view text, routing::GateState& state, routing::AccountHold& account)
{
    routing::GateState read = routing::newGate(true);
    routing::AccountHold hold;
    if (text.starts_with(kVersion)) {
        Reader reader(text.substr(kVersion.size()));
        lastingFields(reader, read);
        lastingHoldFields(reader, hold);
        if (reader.good()) {
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
