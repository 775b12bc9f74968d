// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// JSON by its grammar alone (RFC 8259): what a number is worth and which character an escape names
/// is the matter of whoever uses it, so numbers of any size and halves of surrogate pairs pass.
namespace weir::protocol::json {

/// One number, character by character.
class NumberCheck final
{
public:
    /// False where no number goes on so; what was fed before may be one.
    [[nodiscard]] bool feed(char c);

    [[nodiscard]] bool isWhole() const;

private:
    enum class At : std::uint8_t {
        Start,
        Sign,
        Zero,
        Digits,
        Point,
        Fraction,
        Power,
        PowerSign,
        PowerDigits
    };

    At m_at = At::Start;
};

/// One object that comes in pieces. Does not look whether its texts are UTF-8.
class ObjectCheck final
{
public:
    /// Objects and arrays in one another; deeper is no use, and refused.
    static constexpr std::size_t kDepthMax = 10000;

    void feed(char c);

    /// One object, and nothing but blanks around it.
    [[nodiscard]] bool isWhole() const { return m_at == At::End; }

private:
    enum class At : std::uint8_t {
        Start,
        FirstKey,
        Key,
        Colon,
        FirstElement,
        Value,
        Behind,
        Text,
        Escape,
        Digits,
        Number,
        Word,
        End,
        Broken
    };

    [[nodiscard]] bool isInToken() const;
    [[nodiscard]] At inToken(char c);
    [[nodiscard]] At between(char c);
    [[nodiscard]] At value(char c);
    [[nodiscard]] At behind(char c);
    [[nodiscard]] At open(char bracket);

    At m_at = At::Start;
    bool m_isKey = false;
    int m_digitsLeft = 0;
    NumberCheck m_number;
    /// What is missing of `true`, `false` or `null`.
    std::string_view m_word;
    /// The brackets that are open.
    std::string m_open;
};

[[nodiscard]] bool isNumber(std::string_view text);

/// The text is one JSON object, checked to the last escape: it can be put into another document.
[[nodiscard]] bool isObject(std::string_view text);

} // namespace weir::protocol::json
