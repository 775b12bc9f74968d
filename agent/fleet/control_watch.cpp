// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/control_watch.h"

#include <utility>

namespace weir::fleet {
namespace {

bool sameDecisions(const std::optional<Decisions>& a, const std::optional<Decisions>& b)
{
    if (!a || !b) return a.has_value() == b.has_value();
    return a->routingSwitch == b->routingSwitch && a->settings == b->settings &&
           a->routes == b->routes && a->drills == b->drills && a->scores == b->scores;
}

bool same(const Control& a, const Control& b)
{
    return a.effectiveMode == b.effectiveMode && a.modeReason == b.modeReason &&
           a.storeReachable == b.storeReachable && sameDecisions(a.decisions, b.decisions);
}

EffectiveMode effective(Mode mode)
{
    switch (mode) {
    case Mode::Adaptive:
        return EffectiveMode::Adaptive;
    case Mode::Shadow:
        return EffectiveMode::Shadow;
    case Mode::Fixed:
        break;
    }
    return EffectiveMode::Fixed;
}

/// Why the rows that the store answered with cannot be gone by; empty where it did not answer.
std::string distrustOf(const Error& error)
{
    if (error.code == "switch_missing") return error.code;
    if (error.code == "settings_missing" || error.code == "bad_row") return "settings_unreadable";
    return {};
}

} // namespace

ControlWatch::ControlWatch(Duration grace)
    : m_grace(grace)
{
}

std::optional<Control> ControlWatch::onRead(const Result<Decisions>& read, Instant now, UtcTime utc)
{
    Control control = m_control;
    if (read) {
        m_lastGood = now;
        m_distrust.clear();
        control.storeReachable = true;
        if (!sameDecisions(control.decisions, *read)) {
            control.decisions = *read;
            control.policy = policyOf(read->settings);
            control.appliedAt = utc;
        }
    } else {
        std::string distrust = distrustOf(read.error());
        // It answered, if not with anything to go by.
        control.storeReachable = !distrust.empty();
        // Silence after such an answer does not bring the old decisions back.
        if (!distrust.empty()) m_distrust = std::move(distrust);
    }
    return publish(std::move(control), now);
}

std::optional<Control> ControlWatch::onTick(Instant now)
{
    return publish(m_control, now);
}

std::optional<Control> ControlWatch::publish(Control control, Instant now)
{
    setMode(control, now);
    if (same(control, m_control)) return std::nullopt;
    m_control = std::move(control);
    return m_control;
}

void ControlWatch::setMode(Control& control, Instant now) const
{
    control.effectiveMode = EffectiveMode::Failsafe;
    if (!m_distrust.empty()) {
        control.modeReason = m_distrust;
        return;
    }
    if (!m_lastGood || now - *m_lastGood > m_grace) {
        control.modeReason = "settings_unreadable";
        return;
    }
    const Mode mode = control.decisions->routingSwitch.mode;
    if (mode != Mode::Fixed && m_summary != SummaryAge::Fresh) {
        control.modeReason = m_summary == SummaryAge::Old ? "summary_old" : "no_summary";
        return;
    }
    control.effectiveMode = effective(mode);
    control.modeReason = "switch";
}

} // namespace weir::fleet
