// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_tree.h"

#include "agent/protocol/json_check.h"
#include "agent/protocol/json_view.h"

#include <utility>

namespace weir::protocol::json {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;
using Type = TreeEntry::Type;

/// Walks once through a document and notes every value that is not too deep.
class TreeReader final
{
public:
    explicit TreeReader(std::vector<TreeEntry>& entries)
        : m_entries(entries)
    {
    }

    error_code readObject(std::string_view key, od::object& object, int depth)
    {
        std::size_t at = 0;
        if (const error_code error = open(key, Type::Object, at)) return error;
        const auto readMember = [this, depth](Raw name, od::value& member) {
            return read(name.bytes, member, depth + 1);
        };
        if (const error_code error = eachMember(object, readMember)) return error;
        std::string_view whole;
        if (const error_code error = object.raw_json().get(whole)) return error;
        close(at, whole);
        return SUCCESS;
    }

private:
    error_code open(std::string_view key, Type type, std::size_t& at)
    {
        if (m_entries.size() >= Tree::kEntriesMax) return simdjson::CAPACITY;
        at = m_entries.size();
        m_entries.push_back({key, {}, type, 1});
        return SUCCESS;
    }

    void close(std::size_t at, std::string_view whole)
    {
        m_entries[at].value = withoutBlanks(whole);
        m_entries[at].span = static_cast<std::uint32_t>(m_entries.size() - at);
    }

    error_code readArray(std::string_view key, od::array& array, int depth)
    {
        std::size_t at = 0;
        if (const error_code error = open(key, Type::Array, at)) return error;
        for (auto result : array) {
            od::value element;
            if (const error_code error = std::move(result).get(element)) return error;
            if (const error_code error = read({}, element, depth + 1)) return error;
        }
        std::string_view whole;
        if (const error_code error = array.raw_json().get(whole)) return error;
        close(at, whole);
        return SUCCESS;
    }

    error_code readOpaque(std::string_view key, od::value& value)
    {
        std::size_t at = 0;
        if (const error_code error = open(key, Type::Opaque, at)) return error;
        std::string_view whole;
        if (const error_code error = wholeOf(value).get(whole)) return error;
        close(at, whole);
        return SUCCESS;
    }

    error_code readLeaf(std::string_view key, od::value& value, od::json_type type)
    {
        std::size_t at = 0;
        if (const error_code error = open(key, Type::Null, at)) return error;
        const std::string_view whole = withoutBlanks(value.raw_json_token());
        error_code error = SUCCESS;
        if (type == od::json_type::string) {
            m_entries[at].type = Type::String;
            const bool isClosed = whole.size() >= 2 && whole.back() == '"';
            if (!isClosed || !hasValidEscapes(whole)) error = simdjson::STRING_ERROR;
        } else if (type == od::json_type::number) {
            m_entries[at].type = Type::Number;
            if (!isNumber(whole)) error = simdjson::NUMBER_ERROR;
        } else if (type == od::json_type::boolean) {
            m_entries[at].type = Type::Boolean;
            bool flag = false;
            error = value.get_bool().get(flag);
        } else if (whole != "null") {
            error = simdjson::INCORRECT_TYPE;
        }
        close(at, whole);
        return error;
    }

    error_code read(std::string_view key, od::value& value, int depth)
    {
        const auto type = typeOf(value);
        if (!type) return simdjson::TAPE_ERROR;
        const bool holds = *type == od::json_type::object || *type == od::json_type::array;
        if (!holds) return readLeaf(key, value, *type);
        if (depth > Tree::kDepthMax) return readOpaque(key, value);
        if (*type == od::json_type::array) {
            od::array array;
            if (const error_code error = value.get_array().get(array)) return error;
            return readArray(key, array, depth);
        }
        od::object object;
        if (const error_code error = value.get_object().get(object)) return error;
        return readObject(key, object, depth);
    }

    std::vector<TreeEntry>& m_entries;
};

} // namespace

bool Tree::readPadded(std::string_view text)
{
    m_entries.clear();
    Parser parser;
    od::object object;
    error_code error = parser.openPadded(text, object);
    if (!error) error = TreeReader{m_entries}.readObject({}, object, 0);
    if (error || !parser.isAtEnd()) m_entries.clear();
    return !m_entries.empty();
}

bool Tree::readCopied(std::string_view text)
{
    return readPadded(paddedCopy(text, m_copy));
}

Node Tree::root() const
{
    return m_entries.empty() ? Node{} : Node{m_entries.data()};
}

} // namespace weir::protocol::json
