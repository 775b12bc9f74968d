// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/unframe.h"

#include <cstring>

namespace weir::proxy {

Unframed unframe(http::BodyReader& reader, std::span<char> bytes)
{
    std::string_view rest{bytes.data(), bytes.size()};
    std::size_t size = 0;
    Unframed result;
    while (!rest.empty() && !reader.finished() && !result.error) {
        const http::BodyReader::Step step = reader.next(rest);
        if (!step.data.empty() && bytes.data() + size != step.data.data()) {
            std::memmove(bytes.data() + size, step.data.data(), step.data.size());
        }
        size += step.data.size();
        result.error = step.error;
        if (step.consumed == 0) break;
        rest.remove_prefix(step.consumed);
    }
    result.payload = {bytes.data(), size};
    result.surplus = reader.finished() && !rest.empty();
    return result;
}

} // namespace weir::proxy
