// SPDX-License-Identifier: Apache-2.0
#include "tests/http/messages.h"

namespace weir::http::messages {

std::string wire(std::string_view text)
{
    std::string bytes;
    for (const char c : text)
        bytes += c == '|' ? std::string_view{"\r\n"} : std::string_view{&c, 1};
    return bytes;
}

} // namespace weir::http::messages
