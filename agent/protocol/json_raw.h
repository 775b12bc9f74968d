// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::json {

/// A string's bytes between its quotes, as written. Equal texts may be written differently.
struct Raw
{
    std::string_view bytes;

    /// Compares what the string means. Most strings differ in their first character or their size.
    [[nodiscard]] bool is(std::string_view text) const
    {
        if (bytes.size() == text.size()) return bytes == text;
        if (bytes.empty() || text.empty()) return false;
        if (bytes.front() != text.front() && bytes.front() != '\\') return false;
        return meansEscaped(text);
    }

    /// What the string means, or nothing for a broken escape (a lone surrogate, say).
    [[nodiscard]] std::optional<std::string> text() const;

    /// Bytes of the meaning in UTF-8, near enough for an estimate where an escape is broken.
    [[nodiscard]] std::size_t textSize() const;

private:
    [[nodiscard]] bool meansEscaped(std::string_view text) const;
};

} // namespace weir::protocol::json
