// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"
#include "agent/protocol/request.h"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Looking at JSON on the hot path: strings stay raw views into the document, nothing is copied.
/// Included by .cpp files of this layer alone, because simdjson.h is slow to compile.
namespace weir::protocol::json {

namespace od = simdjson::ondemand;
using simdjson::error_code;

static_assert(kBodyPadding >= simdjson::SIMDJSON_PADDING);

/// The string in `value`, or nothing where it is none.
[[nodiscard]] std::optional<Raw> stringIn(od::value& value);

/// The whole number in `value`, also where written as 12.0; nothing where it is none.
[[nodiscard]] std::optional<std::int64_t> integerIn(od::value& value);

[[nodiscard]] bool isNull(od::value& value);

/// Nothing where the token is no JSON at all.
[[nodiscard]] std::optional<od::json_type> typeOf(od::value& value);

/// All bytes of a value without blanks around it. Consumes it.
[[nodiscard]] simdjson::simdjson_result<std::string_view> wholeOf(od::value& value);

/// JSON's blanks at the end taken off.
[[nodiscard]] std::string_view withoutBlanks(std::string_view text);

/// Each backslash in a string begins one of JSON's escapes. The parser looks at escapes only where
/// a text is unescaped, but what is copied as written must be JSON in its new place too.
[[nodiscard]] bool hasValidEscapes(std::string_view text);

/// A copy with padding behind it: in a buffer of this thread until the next such copy, or in `own`
/// where it is large.
[[nodiscard]] std::string_view paddedCopy(std::string_view text, std::unique_ptr<char[]>& own);

/// `read(Raw key, od::value& value) -> error_code` for each member, in order, duplicates too.
template <class Read>
[[nodiscard]] error_code eachMember(od::object& object, Read&& read)
{
    for (auto result : object) {
        od::field field;
        if (const error_code error = std::move(result).get(field)) return error;
        const char* const start = field.key().raw();
        const char* end = start;
        // Stage one of the parser has made sure that every string is closed.
        for (; *end != '"'; ++end)
            end += *end == '\\' ? 1 : 0;
        od::value value = field.value();
        if (const error_code error =
                read(Raw{{start, static_cast<std::size_t>(end - start)}}, value)) {
            return error;
        }
    }
    return simdjson::SUCCESS;
}

/// The same for the members of a value; one that is no object is skipped.
template <class Read>
[[nodiscard]] error_code eachMember(od::value& value, Read&& read)
{
    if (typeOf(value) != od::json_type::object) return simdjson::SUCCESS;
    od::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    return eachMember(object, std::forward<Read>(read));
}

/// `read(od::value& element) -> error_code` for each element; a value that is no array is skipped.
template <class Read>
[[nodiscard]] error_code eachElement(od::value& value, Read&& read)
{
    if (typeOf(value) != od::json_type::array) return simdjson::SUCCESS;
    od::array array;
    if (const error_code error = value.get_array().get(array)) return error;
    for (auto result : array) {
        od::value element;
        if (const error_code error = std::move(result).get(element)) return error;
        if (const error_code error = read(element)) return error;
    }
    return simdjson::SUCCESS;
}

/// A parser of this thread; for a large document one of its own, so that a thread does not keep the
/// memory of the largest body it ever saw.
class Parser final
{
public:
    /// Opens a document that is one object, with `kBodyPadding` readable bytes behind it.
    [[nodiscard]] error_code openPadded(std::string_view text, od::object& object);

    /// The same for text without padding, which is copied.
    [[nodiscard]] error_code openCopied(std::string_view text, od::object& object);

    /// Nothing but blanks stands behind the object (to be asked when it has been read).
    [[nodiscard]] bool isAtEnd();

private:
    std::unique_ptr<od::parser> m_ownParser;
    std::unique_ptr<char[]> m_ownCopy;
    od::document m_document;
};

} // namespace weir::protocol::json
