// SPDX-License-Identifier: Apache-2.0
#include "common/model/decision_record.h"

#include <charconv>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace weir {
namespace {

/// Stands first in the line; a reader refuses what it does not know.
constexpr int kVersion = 1;
/// Three routes with plain gates fit.
constexpr std::size_t kUsualLength = 512;

template <class T>
constexpr std::int64_t asNumber(const T& value)
{
    return static_cast<std::int64_t>(value);
}

/// Appends fields to one line. Lists carry their length, so that nothing needs a terminator.
class Line final
{
public:
    Line() { m_text.reserve(kUsualLength); }

    template <class T>
    requires std::integral<T> || std::is_enum_v<T>

    void field(T& value) { append(asNumber(value)); }

    void field(std::uint64_t& value) { append(value); }

    void field(std::string& value)
    {
        separate();
        // An empty word would vanish between two blanks.
        m_text += value.empty() ? "-" : value;
    }

    template <class T>
    void field(std::optional<T>& value)
    {
        append(value ? asNumber(*value) : std::int64_t{-1});
    }

    template <class T, std::size_t N, class Each>
    void list(StaticVector<T, N>& items, const Each& each)
    {
        append(asNumber(items.size()));
        for (T& item : items)
            each(*this, item);
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    template <class T>
    void append(T value)
    {
        separate();
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        m_text.append(digits.data(), end.ptr);
    }

    void separate()
    {
        if (!m_text.empty()) m_text += ' ';
    }

    std::string m_text;
};

/// Reads the same fields in the same order. The first junk makes all that follows nothing.
class Reader final
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    template <class T>
    requires std::integral<T> || std::is_enum_v<T>

    void field(T& value)
    {
        const auto number = read<std::int64_t>();
        value = static_cast<T>(number);
        if (static_cast<std::int64_t>(value) != number) m_good = false;
    }

    void field(std::uint64_t& value) { value = read<std::uint64_t>(); }

    void field(std::string& value)
    {
        const std::string_view word = next();
        if (word.empty()) m_good = false;
        value = word == "-" ? std::string{} : std::string{word};
    }

    template <class T>
    void field(std::optional<T>& value)
    {
        const auto number = read<std::int64_t>();
        if (number < -1 || number > std::numeric_limits<T>::max()) m_good = false;
        if (number >= 0) value = static_cast<T>(number);
    }

    template <class T, std::size_t N, class Each>
    void list(StaticVector<T, N>& items, const Each& each)
    {
        const auto size = read<std::int64_t>();
        if (size < 0 || size > static_cast<std::int64_t>(N)) {
            m_good = false;
            return;
        }
        items.resize(static_cast<std::size_t>(size));
        for (T& item : items)
            each(*this, item);
    }

    [[nodiscard]] bool good() const { return m_good && m_text.empty(); }

private:
    std::string_view next()
    {
        const std::size_t blank = std::min(m_text.find(' '), m_text.size());
        const std::string_view word = m_text.substr(0, blank);
        m_text.remove_prefix(std::min(blank + 1, m_text.size()));
        return word;
    }

    template <class T>
    T read()
    {
        const std::string_view word = next();
        T value{};
        const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
        if (end.ec != std::errc{} || end.ptr != word.data() + word.size() || word.empty()) {
            m_good = false;
            return T{};
        }
        return value;
    }

    std::string_view m_text;
    bool m_good = true;
};

template <class Stream>
void fields(Stream& s, RoutingPolicy& p)
{
    s.field(p.objective);
    s.field(p.costWeightPpm);
    s.field(p.speedWeightPpm);
    s.field(p.slowFactorPpm);
    s.field(p.switchMarginPpm);
    s.field(p.explorationSharePpm);
    s.field(p.explorationCapPpm);
    s.field(p.pinMs);
    s.field(p.maxPremiumPpm);
    s.field(p.settingsVersion);
}

template <class Stream>
void fields(Stream& s, CoinKey& key)
{
    s.field(key.low);
    s.field(key.high);
}

template <class Stream>
void fields(Stream& s, GateView& gate)
{
    // Nearly every gate is wide open, and says so in one digit.
    auto plain = static_cast<int>(gate == GateView{});
    s.field(plain);
    if (plain == 1) return;
    for (std::int32_t& chance : gate.admitPpm)
        s.field(chance);
    s.field(gate.guardOpen);
    s.field(gate.breaker);
    s.field(gate.probeFree);
    s.field(gate.hold);
    s.field(gate.recoversInMs);
    s.field(gate.aboveFloor);
    s.field(gate.permittedMilliRps);
    s.field(gate.capMilliRps);
    s.field(gate.version);
}

template <class Stream>
void fields(Stream& s, DecisionInput& input)
{
    s.field(input.mode);
    s.field(input.nowMs);
    s.field(input.seed);
    fields(s, input.taskKey);
    fields(s, input.requestKey);
    s.field(input.singleShot);
    s.field(input.explorable);
    s.field(input.batch);
    s.field(input.sort);
    s.field(input.pin);
    s.field(input.pinExplored);
    s.field(input.origin);
    fields(s, input.policy);
    s.list(input.preferred, [](Stream& each, std::uint8_t& route) { each.field(route); });
    s.list(input.routes, [](Stream& each, RouteOption& option) {
        each.field(option.exclusion);
        each.field(option.fixedPosition);
        each.field(option.biasPpm);
        each.field(option.listPriceNanoUsd);
        fields(each, option.gate);
    });
}

template <class Stream>
void fields(Stream& s, Decision& decision)
{
    s.list(decision.candidates, [](Stream& each, Candidate& candidate) {
        each.field(candidate.route);
        each.field(candidate.code);
        each.field(candidate.reason);
    });
    s.list(decision.codes, [](Stream& each, ReasonCode& code) { each.field(code); });
    s.list(decision.scores, [](Stream& each, std::int64_t& score) { each.field(score); });
    s.field(decision.eligibleMask);
    s.field(decision.heldMask);
    s.field(decision.askedMask);
    s.field(decision.gateClass);
    s.field(decision.exploreArm);
    s.field(decision.exploreDenied);
    s.field(decision.propensityPpm);
}

/// The one list of what a record holds, for writing and reading.
template <class Stream>
void fields(Stream& s, DecisionRecord& record)
{
    s.field(record.snapshotId);
    fields(s, record.input);
    fields(s, record.decision);
}

bool wordsKnown(const DecisionRecord& record)
{
    const auto known = [](auto value, auto last) { return value <= last; };
    bool good = known(record.input.mode, EffectiveMode::Failsafe) &&
                known(record.input.sort, SortBy::Speed) &&
                known(record.input.policy.objective, Objective::RoutingCost) &&
                known(record.decision.gateClass, GateClass::Batch);
    for (const RouteOption& option : record.input.routes) {
        good = good && known(option.exclusion, Exclusion::Quality) &&
               known(option.gate.breaker, BreakerState::HalfOpen) &&
               known(option.gate.hold, HoldKind::Misconfigured);
    }
    for (const Candidate& each : record.decision.candidates) {
        good = good && each.route < record.input.routes.size() &&
               known(each.code, ReasonCode::Ineligible) && known(each.reason, Reason::Fixed);
    }
    for (const ReasonCode code : record.decision.codes)
        good = good && known(code, ReasonCode::Ineligible);
    return good;
}

} // namespace

std::string encode(const DecisionRecord& record)
{
    DecisionRecord copy = record;
    Line line;
    int version = kVersion;
    line.field(version);
    fields(line, copy);
    return line.take();
}

Result<DecisionRecord> decodeDecision(std::string_view text)
{
    Reader reader(text);
    int version = 0;
    reader.field(version);
    if (version != kVersion) {
        return fail("bad_decision", "version", "is " + std::to_string(version) + ", not 1");
    }
    DecisionRecord record;
    fields(reader, record);
    if (!reader.good() || !wordsKnown(record)) {
        return fail("bad_decision", "decision", "is not a saved decision");
    }
    return record;
}

} // namespace weir
