// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weir::store {

/// Who writes, and why: goes into the row and, by the database's own trigger, into settings_audit.
struct Authorship
{
    std::string who;
    std::string host;
    /// 1 to 1000 characters.
    std::string reason;
    /// Names this write: a repetition with the same id is the same write. Empty = no such
    /// protection.
    std::string requestUuid;
    UtcTime at{};
};

struct SwitchChange
{
    Mode mode = Mode::Fixed;
    std::int64_t expectedVersion = 0;
    Authorship by;
};

/// `settings.version` and its authorship fields are ignored.
struct SettingsChange
{
    RoutingSettings settings;
    std::int64_t expectedVersion = 0;
    Authorship by;
};

/// `route.version` is ignored; an expected version of 0 means that the row does not exist yet.
struct RouteChange
{
    RouteSettings route;
    std::int64_t expectedVersion = 0;
    Authorship by;
};

enum class WriteOutcome : std::uint8_t {
    Written,
    /// Somebody wrote since `expectedVersion`; nothing was changed.
    Conflict,
    /// This request's write had been done before; nothing was changed now.
    Repeated,
};

/// `row` is the row as it stands after the call. After a conflict that is the other writer's row;
/// it is nothing only where the row does not exist (a route's row not written yet).
template <class Row>
struct Write
{
    WriteOutcome outcome = WriteOutcome::Written;
    std::optional<Row> row;
};

} // namespace weir::store
