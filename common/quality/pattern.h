// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace weir::quality {

/// A regular expression in RE2's syntax, which has no look-around and no back references, so that
/// the time of a match grows with the text's length alone. Cheap to copy, safe on any thread.
class Pattern final
{
public:
    enum class Case : std::uint8_t { Kept, Ignored };

    /// Error "bad_pattern": what RE2 does not take, and what would need too much memory.
    [[nodiscard]] static Result<Pattern> compile(std::string_view expression, Case letters);

    [[nodiscard]] bool isIn(std::string_view text) const;
    [[nodiscard]] bool isWhole(std::string_view text) const;

private:
    explicit Pattern(std::shared_ptr<const re2::RE2> expression);

    std::shared_ptr<const re2::RE2> m_expression;
};

} // namespace weir::quality
