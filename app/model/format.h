// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/time.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::model {

/// What stands where a value is not known. Never 0, never "nan".
[[nodiscard]] QString unknown();

/// Text from outside for a label or a cell: control and direction-changing characters, which could
/// make a name look like another, become U+FFFD; no more than so many characters.
[[nodiscard]] QString plain(std::string_view text, std::size_t maxCharacters = 256);

/// "0.64 s", "12.3 s", "148 s"; unknown where nothing or not finite.
[[nodiscard]] QString seconds(std::optional<double> value);
[[nodiscard]] QString secondsFromMs(std::optional<double> valueMs);
/// 0.0123 → "1.2 %"; a share that rounds to 0.0 but is not 0 reads "<0.1 %".
[[nodiscard]] QString percent(std::optional<double> share);
/// "0.42", "41.2", "412".
[[nodiscard]] QString rate(std::optional<double> value);
/// Micro-dollars as "$0.0312", "$1.24", "$148".
[[nodiscard]] QString money(std::optional<std::int64_t> microUsd);
/// One unit, rounded down: "4 s", "12 m", "3 h", "2 d". A time in the future is "0 s".
[[nodiscard]] QString age(Duration value);
/// "3.1 s": for a wait that is being watched.
[[nodiscard]] QString elapsed(Duration value);
/// "10:07:12Z".
[[nodiscard]] QString clockText(UtcTime time);
/// "1 agent", "7 agents".
[[nodiscard]] QString counted(std::int64_t count, const QString& noun);

} // namespace weir::model
