// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tidy {

/// A text file of the tree, read once and looked at by every rule.
struct Source
{
    std::string path;                     ///< rooted: "common/base/text.h"
    std::string text;                     ///< as it stands on disk
    std::vector<std::string_view> lines;  ///< of `text`, without the line ends
    std::string code;                     ///< C++ only: `text` with comments and literals blanked
    std::vector<std::string_view> inCode; ///< of `code`, line for line beside `lines`

    Source(std::string path, std::string text);
    Source(Source&&) noexcept;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    Source& operator=(Source&&) = delete;
    ~Source() = default;

    [[nodiscard]] bool isHeader() const { return path.ends_with(".h"); }

    [[nodiscard]] bool isCpp() const { return isHeader() || path.ends_with(".cpp"); }

    [[nodiscard]] bool isCMake() const;
    [[nodiscard]] bool isScript() const;

    [[nodiscard]] bool isUnder(std::string_view folder) const { return path.starts_with(folder); }
};

/// C++ with the inside of comments, strings, characters and raw strings replaced by spaces. Line
/// breaks stay, so that offsets and line numbers hold in both texts.
[[nodiscard]] std::string blankLiterals(std::string_view cpp);

[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

/// The 1-based line in which the byte at `offset` stands.
[[nodiscard]] int lineAt(std::string_view text, std::size_t offset);

/// True where a word as C++ understands it, not a part of a longer one, begins at `offset`.
[[nodiscard]] bool isWordAt(std::string_view text, std::size_t offset, std::string_view word);

/// Every text file below `root` that belongs to the project: no build output, nothing hidden but
/// .ci, no fetched packages. Sorted by path.
[[nodiscard]] std::vector<Source> readTree(const std::string& root);

} // namespace weir::tidy
