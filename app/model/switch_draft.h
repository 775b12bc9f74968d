// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet.h"
#include "app/model/signs.h"
#include "common/model/settings.h"
#include "common/model/status.h"

#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

/// Typed to go on with a failed preflight.
inline constexpr const char* kOverrideWord = "override";

/// What the operator has typed into the switch dialog; survives Esc for ten minutes.
struct SwitchDraft
{
    QString chip;
    QString text;
    QString typedName;
    QString typedOverride;

    /// What goes into the audit: the chip, the text, or both.
    [[nodiscard]] QString reason() const;
    /// A chip, or a text of ten characters or more.
    [[nodiscard]] bool hasReason() const;

    bool operator==(const SwitchDraft&) const = default;
};

/// The short reasons for the way to fixed order.
[[nodiscard]] QStringList reasonChips(Mode target);

struct PreflightItem
{
    enum class Verdict : std::uint8_t { Passed, Warning, Failed };

    Verdict verdict = Verdict::Passed;
    QString text;

    bool operator==(const PreflightItem&) const = default;
};

/// What the console knows when the dialog stands open.
struct SwitchFacts
{
    const Fleet* fleet = nullptr;
    const AgentStatus* status = nullptr;
    std::optional<RoutingSwitch> row;
    std::optional<RoutingSettings> settings;
    bool isStoreReadable = false;
    QString storeTrouble;
};

/// Only what can be checked now: whether the agents are heard, on the current settings, the store
/// is readable, exploration is on, a summary is there, nothing calls for a person.
[[nodiscard]] std::vector<PreflightItem> preflight(const SwitchFacts& facts, UtcTime now);

/// "1 agent, 12.3 requests/s, to the fixed order baseten, fireworks within about 5 s".
[[nodiscard]] QString effectText(const SwitchFacts& facts, Mode target, UtcTime now);

/// What will bite: the first of the fixed order is benched, agents are silent.
[[nodiscard]] QStringList switchWarnings(const SwitchFacts& facts, Mode target, UtcTime now);

} // namespace weir::model
