// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::http {

/// "POST /v1/messages HTTP/1.1\r\n". Asserts that the method is a token, and that the target is not
/// empty and holds nothing but visible ASCII.
void appendRequestLine(std::string& out, std::string_view method, std::string_view target);

/// "HTTP/1.1 200 OK\r\n" with the standard reason phrase, or an empty one for an unknown status.
void appendStatusLine(std::string& out, int status);

/// "Name: value\r\n". CR, LF, NUL and all other control characters but the tab become spaces in the
/// value: one from outside can never start a field of its own. Asserts that the name is a token.
void appendField(std::string& out, std::string_view name, std::string_view value);
void appendField(std::string& out, std::string_view name, std::uint64_t value);

/// Ends a head.
void appendBlankLine(std::string& out);

/// The line before a chunk's data, on the caller's stack; after the data comes `kChunkEnd`.
class ChunkHeader final
{
public:
    /// `size` > 0, for a chunk of 0 ends the body: that is `kLastChunk`.
    explicit ChunkHeader(std::size_t size);

    [[nodiscard]] std::string_view text() const { return {m_text.data(), m_size}; }

private:
    std::array<char, 18> m_text{};
    std::size_t m_size = 0;
};

inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

} // namespace weir::http
