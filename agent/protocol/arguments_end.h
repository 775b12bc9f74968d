// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_check.h"

#include <string_view>

namespace weir::protocol {

/// Watches a tool call's arguments, which come as pieces of one JSON string, and tells when they
/// are a whole JSON value. When the next call may begin is decided by brackets alone, whatever the
/// arguments are otherwise good for.
class ArgumentsEnd final
{
public:
    /// One piece, as written between the quotes of a JSON string.
    void feed(std::string_view piece);

    /// Anything but blanks was seen.
    [[nodiscard]] bool hasBegun() const { return m_hasBegun; }

    [[nodiscard]] bool isComplete() const { return m_hasBegun && !m_inString && m_depth <= 0; }

    /// A call with these arguments can be run: one JSON object, or nothing at all.
    [[nodiscard]] bool isWhole() const { return !m_hasBegun || m_check.isWhole(); }

private:
    void step(char c);

    json::ObjectCheck m_check;
    int m_depth = 0;
    bool m_hasBegun = false;
    bool m_inString = false;
    bool m_isEscaped = false;
};

} // namespace weir::protocol
