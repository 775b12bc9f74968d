// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::protocol::json {

/// Appends `text` escaped as between the quotes of a JSON string. It must be UTF-8, which whatever
/// came out of a `Tree` is.
void appendEscaped(std::string& out, std::string_view text);

/// Writes JSON without blanks, in the order of the calls; commas come by themselves. Values are
/// mostly slices of another document, taken over as they were written.
class Writer final
{
public:
    /// Writes nowhere: for a caller that wants to know only whether something can be written.
    Writer() = default;

    explicit Writer(std::string& out)
        : m_out(&out)
    {
    }

    void beginObject() { begin("{"); }

    void endObject() { end("}"); }

    void beginArray() { begin("["); }

    void endArray() { end("]"); }

    /// The name of the next value; `name` needs no escapes.
    void key(std::string_view name);

    /// A whole value as it was written elsewhere.
    void raw(std::string_view value);

    /// A string out of the bytes between another's quotes.
    void string(Raw bytes);

    /// A string that means `text`.
    void text(std::string_view text);

    void integer(std::int64_t value);

    void boolean(bool value) { raw(value ? "true" : "false"); }

    void null() { raw("null"); }

    /// A string of several parts, in order: begin, parts, end.
    void beginString();

    void stringPart(Raw bytes) { append(bytes.bytes); }

    void textPart(std::string_view text)
    {
        if (m_out != nullptr) appendEscaped(*m_out, text);
    }

    void endString() { append("\""); }

private:
    void append(std::string_view bytes)
    {
        if (m_out != nullptr) *m_out += bytes;
    }

    void begin(std::string_view bracket);
    void end(std::string_view bracket);
    void separate();

    std::string* m_out = nullptr;
    bool m_needsComma = false;
};

} // namespace weir::protocol::json
