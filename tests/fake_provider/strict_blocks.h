// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/strict_rules.h"

namespace weir::fake {

/// The blocks of a Messages request against the rules of its provider.
class BlockReader final
{
public:
    BlockReader(const Script& script, Verdict& verdict)
        : m_script(script)
        , m_verdict(verdict)
    {
    }

    void refuse(const std::string& where, const std::string& detail);
    void checkKnown(const Json& object, const std::string& where, Names known);
    void check(const Json& block, const std::string& where);
    void checkText(const Json& block, const std::string& where);

    /// Of anything that may bear one; a request may have four.
    void countMark(const Json& object);

private:
    void checkImage(const Json& block, const std::string& where);
    void checkReasoning(const Json& block, const std::string& where);
    void checkToolUse(const Json& block, const std::string& where);
    void checkToolResult(const Json& block, const std::string& where);

    const Script& m_script;
    Verdict& m_verdict;
    int m_marks = 0;
};

inline constexpr std::size_t kAnthropicNameMax = 128;

/// "messages.3" and the like.
[[nodiscard]] std::string at(const std::string& where, std::size_t index);

} // namespace weir::fake
