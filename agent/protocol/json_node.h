// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::json {

/// One value of a `Tree`, in the order of the document: those that it holds follow it.
struct TreeEntry
{
    enum class Type : std::uint8_t { Object, Array, String, Number, Boolean, Null, Opaque };

    /// Between the quotes; empty for elements of an array and the root.
    std::string_view key;
    /// All bytes of the value, quotes and brackets too.
    std::string_view value;
    Type type = Type::Null;
    /// Entries of this value and all that it holds.
    std::uint32_t span = 1;
};

/// A value, or none: a member that is not there answers every question with no. As long-lived as
/// its tree.
class Node final
{
public:
    using Type = TreeEntry::Type;

    Node() = default;

    explicit Node(const TreeEntry* entry)
        : m_entry(entry)
    {
    }

    [[nodiscard]] bool exists() const { return m_entry != nullptr; }

    [[nodiscard]] bool has(Type type) const { return exists() && m_entry->type == type; }

    [[nodiscard]] bool isObject() const { return has(Type::Object); }

    [[nodiscard]] bool isArray() const { return has(Type::Array); }

    [[nodiscard]] bool isString() const { return has(Type::String); }

    /// There, and not null: servers read a null as nothing.
    [[nodiscard]] bool isGiven() const { return exists() && !has(Type::Null); }

    [[nodiscard]] bool isTrue() const { return has(Type::Boolean) && raw() == "true"; }

    [[nodiscard]] bool isFalse() const { return has(Type::Boolean) && raw() == "false"; }

    /// A string that means this.
    [[nodiscard]] bool is(std::string_view text) const { return isString() && string().is(text); }

    /// All bytes of the value; empty where there is none.
    [[nodiscard]] std::string_view raw() const;

    /// A string's bytes between its quotes; empty where it is none.
    [[nodiscard]] Raw string() const;

    /// What a string means; nothing where it is none or has a broken escape.
    [[nodiscard]] std::optional<std::string> text() const;

    /// A whole number that can be told exactly, also where written as 12.0.
    [[nodiscard]] std::optional<std::int64_t> integer() const;

    [[nodiscard]] std::optional<double> number() const;

    /// Of a member: its name, as written.
    [[nodiscard]] Raw key() const;

    /// The member of that name; of several the last, as most parsers see it.
    [[nodiscard]] Node operator[](std::string_view name) const;

    /// Nothing in it, or no object or array at all.
    [[nodiscard]] bool isEmpty() const { return begin() == end(); }

    /// Members or elements in order.
    class Iterator final
    {
    public:
        explicit Iterator(const TreeEntry* entry)
            : m_entry(entry)
        {
        }

        Node operator*() const { return Node{m_entry}; }

        Iterator& operator++()
        {
            m_entry += m_entry->span;
            return *this;
        }

        bool operator==(const Iterator&) const = default;

    private:
        const TreeEntry* m_entry;
    };

    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

private:
    const TreeEntry* m_entry = nullptr;
};

} // namespace weir::protocol::json
