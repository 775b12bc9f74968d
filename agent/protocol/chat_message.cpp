// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/chat_message.h"

#include "agent/protocol/finish_words.h"
#include "agent/protocol/json_writer.h"

namespace weir::protocol {

json::Node reasoningOf(const json::Node& message)
{
    const json::Node content = message["reasoning_content"];
    return content.string().bytes.empty() ? message["reasoning"] : content;
}

CallPiece readCall(const json::Node& call, std::string& escaped)
{
    const json::Node function = call["function"];
    const json::Node arguments = function["arguments"];
    CallPiece piece{
        call["index"].integer(),
        call["id"].string(),
        function["name"].string(),
        arguments.string()};
    if (arguments.isObject()) {
        escaped.clear();
        json::appendEscaped(escaped, arguments.raw());
        piece.arguments = {escaped};
    }
    return piece;
}

json::Raw stopSequenceOf(const json::Node& choice)
{
    for (const std::string_view name : {"stop_reason", "matched_stop"}) {
        const json::Raw text = choice[name].string();
        // Some servers put another word for the end there.
        if (!text.bytes.empty() && !isFinishWord(text.bytes)) return text;
    }
    return {};
}

} // namespace weir::protocol
