// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::protocol {

/// Watches a tool call's arguments, which come as pieces of one JSON string, and tells when they
/// are a whole JSON value. Counts brackets alone: it decides when the next call may begin, not
/// whether the arguments are any good.
class ArgumentsEnd final
{
public:
    /// One piece, as written between the quotes of a JSON string.
    void feed(std::string_view piece);

    /// Anything but blanks was seen.
    [[nodiscard]] bool hasBegun() const { return m_hasBegun; }

    [[nodiscard]] bool isComplete() const { return m_hasBegun && !m_inString && m_depth <= 0; }

private:
    void step(char c);

    int m_depth = 0;
    bool m_hasBegun = false;
    bool m_inString = false;
    bool m_isEscaped = false;
};

} // namespace weir::protocol
