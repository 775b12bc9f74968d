// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weir::http {

/// Classes of bytes as bits of one table, so that every scan is a load and a mask. No class holds
/// CR, LF or NUL: a scan inside a message that ends in LF needs no other bound.
enum class CharClass : std::uint8_t {
    /// tchar, RFC 9110 section 5.6.2.
    Token = 1,
    /// Visible, space, tab and obs-text, RFC 9110 section 5.5.
    FieldValue = 2,
    /// What URL serializers put in a path or query: visible ASCII but `"#<>`. That is a little more
    /// than RFC 3986 section 3.3 and 3.4: browsers and Node send `[]^|{}` as they are.
    Target = 4,
    /// reg-name without its percent sign, RFC 3986 section 3.2.2.
    Host = 8,
};

namespace detail {

constexpr std::array<std::uint8_t, 256> makeCharClasses()
{
    constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
    constexpr std::string_view kNoTarget = "\"#<>";
    constexpr std::string_view kHostMarks = "-._~!$&'()*+,;=";
    std::array<std::uint8_t, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const char c = static_cast<char>(i);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool alnum = letter || (c >= '0' && c <= '9');
        const bool visible = i > 0x20 && i < 0x7F;
        const auto set = [&table, i](bool yes, CharClass bit) {
            if (yes) table[i] = static_cast<std::uint8_t>(table[i] | static_cast<unsigned>(bit));
        };
        set(alnum || kTokenMarks.find(c) != std::string_view::npos, CharClass::Token);
        set(visible || c == ' ' || c == '\t' || i >= 0x80, CharClass::FieldValue);
        set(visible && kNoTarget.find(c) == std::string_view::npos, CharClass::Target);
        set(alnum || kHostMarks.find(c) != std::string_view::npos, CharClass::Host);
    }
    return table;
}

inline constexpr std::array<std::uint8_t, 256> kCharClasses = makeCharClasses();

} // namespace detail

[[nodiscard]] constexpr bool isIn(CharClass charClass, char c)
{
    const unsigned classes = detail::kCharClasses[static_cast<unsigned char>(c)];
    return (classes & static_cast<unsigned>(charClass)) != 0;
}

/// How many of the eight bytes at `bytes` stand before the first control character (the tab is one)
/// or DEL. A subtraction borrows from the next byte only behind such a one, so the first is right.
[[nodiscard]] inline std::size_t countPlain(const char* bytes)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    const std::uint64_t controls = (word - kOnes * 0x20) & ~word;
    const std::uint64_t notDel = word ^ (kOnes * 0x7F);
    const std::uint64_t dels = (notDel - kOnes) & ~notDel;
    static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
    return static_cast<std::size_t>(std::countr_zero((controls | dels) & (kOnes * 0x80))) / 8;
}

[[nodiscard]] constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// 0 to 15, or nothing hexadecimal: -1.
[[nodiscard]] constexpr int hexValue(char c)
{
    if (isDigit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace weir::http
