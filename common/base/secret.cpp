// SPDX-License-Identifier: Apache-2.0
#include "common/base/secret.h"

namespace weir {

bool Secret::equals(std::string_view candidate) const
{
    // Always walks the whole candidate, also where the lengths differ, and never branches on a
    // byte.
    unsigned difference = m_value.size() == candidate.size() ? 0U : 1U;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
        const char mine = m_value.empty() ? '\0' : m_value[i % m_value.size()];
        difference |= static_cast<unsigned>(
            static_cast<unsigned char>(mine) ^ static_cast<unsigned char>(candidate[i]));
    }
    const volatile unsigned verdict = difference;
    return verdict == 0;
}

} // namespace weir
