// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/continued_request.h"

#include "agent/protocol/json_tree.h"

namespace weir::proxy {
namespace {

/// Without blanks, plain or escaped, at the end of a JSON string's bytes.
std::string_view withoutBlankEnd(std::string_view raw)
{
    for (;;) {
        if (raw.ends_with(' ')) {
            raw.remove_suffix(1);
            continue;
        }
        if (!raw.ends_with("\\n") && !raw.ends_with("\\t") && !raw.ends_with("\\r")) return raw;
        const std::size_t letter = raw.size() - 1;
        std::size_t first = letter;
        while (first > 0 && raw[first - 1] == '\\')
            --first;
        // An even number of backslashes stands for themselves.
        if ((letter - first) % 2 == 0) return raw;
        raw.remove_suffix(2);
    }
}

} // namespace

BodyBuffer continuedRequest(std::string_view body, std::string_view text, Protocol route)
{
    // Anthropic refuses an unfinished turn that ends in a blank.
    if (route == Protocol::Anthropic) text = withoutBlankEnd(text);
    BodyBuffer longer;
    protocol::json::Tree tree;
    if (!tree.readPadded(body)) return longer;
    const protocol::json::Node list = tree.root()["messages"];
    protocol::json::Node last;
    for (const protocol::json::Node message : list)
        last = message;
    // Where the client has begun the answer itself, its words and these would be two turns.
    if (!last.exists() || last["role"].is("assistant")) return longer;
    const std::string_view messages = list.raw();
    const auto bracket =
        static_cast<std::size_t>(messages.data() - body.data()) + messages.size() - 1;
    longer.append(body.substr(0, bracket));
    longer.append(R"(,{"role":"assistant","content":")");
    longer.append(text);
    longer.append("\"}");
    longer.append(body.substr(bracket));
    return longer;
}

} // namespace weir::proxy
