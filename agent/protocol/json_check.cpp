// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_check.h"

#include <simdjson.h>

#include <memory>

namespace weir::protocol::json {

bool isObject(std::string_view text)
{
    // A thread keeps a parser for usual sizes alone.
    constexpr std::size_t kThreadBytesMax = 262144;
    thread_local simdjson::dom::parser threadParser;
    std::unique_ptr<simdjson::dom::parser> ownParser;
    if (text.size() > kThreadBytesMax) ownParser = std::make_unique<simdjson::dom::parser>();
    simdjson::dom::parser& parser = ownParser ? *ownParser : threadParser;
    simdjson::dom::object object;
    return parser.parse(text.data(), text.size()).get(object) == simdjson::SUCCESS;
}

} // namespace weir::protocol::json
