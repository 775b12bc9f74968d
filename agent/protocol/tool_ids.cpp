// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/tool_ids.h"

#include <algorithm>

namespace weir::protocol {
namespace {

bool isIdCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

} // namespace

std::string ToolIds::next(std::string_view given)
{
    std::string id{given.empty() ? "call" : given};
    std::replace_if(
        id.begin(), id.end(), [](char c) { return !isIdCharacter(c); }, '_');
    std::string free = id;
    while (!m_taken.try_emplace(free, 2).second)
        free = id + '_' + std::to_string(m_taken[id]++);
    return free;
}

bool isToolName(std::string_view name)
{
    constexpr std::size_t kNameBytesMax = 128;
    return !name.empty() && name.size() <= kNameBytesMax &&
           std::all_of(name.begin(), name.end(), isIdCharacter);
}

} // namespace weir::protocol
