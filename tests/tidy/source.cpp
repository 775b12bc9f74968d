// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace weir::tidy {
namespace {

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// What the scanner stands in, and where that ends.
class Blanker final
{
public:
    explicit Blanker(std::string_view text)
        : m_text(text)
        , m_out(text)
    {
    }

    std::string run()
    {
        while (m_at < m_text.size()) {
            if (starts("//")) {
                blankTo(m_text.find('\n', m_at));
            } else if (starts("/*")) {
                blankTo(after(m_text.find("*/", m_at + 2), 2));
            } else if (starts("R\"") && (m_at == 0 || !isWordCharacter(m_text[m_at - 1]))) {
                blankRawString();
            } else if (m_text[m_at] == '"' || isCharacterQuote()) {
                blankTo(endOfQuoted(m_text[m_at]));
            } else {
                ++m_at;
            }
        }
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool starts(std::string_view prefix) const
    {
        return m_text.substr(m_at).starts_with(prefix);
    }

    /// The apostrophe of 1'000'000 separates digits; it opens nothing.
    [[nodiscard]] bool isCharacterQuote() const
    {
        return m_text[m_at] == '\'' && (m_at == 0 || !isWordCharacter(m_text[m_at - 1]));
    }

    [[nodiscard]] std::size_t after(std::size_t found, std::size_t length) const
    {
        return found == std::string_view::npos ? m_text.size() : found + length;
    }

    [[nodiscard]] std::size_t endOfQuoted(char quote) const
    {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n') {
            end += m_text[end] == '\\' ? 2 : 1;
        }
        return std::min(end + 1, m_text.size());
    }

    void blankRawString()
    {
        const std::size_t open = m_text.find('(', m_at);
        if (open == std::string_view::npos) {
            m_at = m_text.size();
            return;
        }
        const std::string close =
            ")" + std::string(m_text.substr(m_at + 2, open - m_at - 2)) + "\"";
        blankTo(after(m_text.find(close, open), close.size()));
    }

    void blankTo(std::size_t end)
    {
        end = std::min(end, m_text.size());
        for (; m_at < end; ++m_at) {
            if (m_out[m_at] != '\n') m_out[m_at] = ' ';
        }
    }

    std::string_view m_text;
    std::string m_out;
    std::size_t m_at = 0;
};

bool isSkipped(const std::filesystem::directory_entry& entry)
{
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory()) return name == "package-lock.json";
    return name == "build" || name == "node_modules" || name == "__pycache__" ||
           name == "LICENSES" || (name.starts_with('.') && name != ".ci");
}

std::string readFile(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

Source::Source(std::string filePath, std::string fileText)
    : path(std::move(filePath))
    , text(std::move(fileText))
    , lines(splitLines(text))
{
    if (isCpp()) {
        code = blankLiterals(text);
        inCode = splitLines(code);
    }
}

Source::Source(Source&& other) noexcept
    : path(std::move(other.path))
    , text(std::move(other.text))
    , lines(splitLines(text))
    , code(std::move(other.code))
    , inCode(splitLines(code))
{
}

bool Source::isCMake() const
{
    return path.ends_with("CMakeLists.txt") || path.ends_with(".cmake");
}

bool Source::isScript() const
{
    constexpr std::array kEndings{".sh", ".py", ".js", ".mjs", ".ts", ".toml", ".service", ".supp"};
    return text.starts_with("#!") || std::ranges::any_of(kEndings, [this](std::string_view ending) {
               return path.ends_with(ending);
           });
}

std::string blankLiterals(std::string_view cpp)
{
    return Blanker(cpp).run();
}

std::vector<std::string_view> splitLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

int lineAt(std::string_view text, std::size_t offset)
{
    return 1 + static_cast<int>(std::ranges::count(text.substr(0, offset), '\n'));
}

bool isWordAt(std::string_view text, std::size_t offset, std::string_view word)
{
    if (!text.substr(offset).starts_with(word)) return false;
    const std::size_t end = offset + word.size();
    const bool opens =
        offset == 0 || !isWordCharacter(word.front()) || !isWordCharacter(text[offset - 1]);
    const bool closes =
        end >= text.size() || !isWordCharacter(word.back()) || !isWordCharacter(text[end]);
    return opens && closes;
}

std::vector<Source> readTree(const std::string& root)
{
    namespace fs = std::filesystem;
    std::vector<std::string> paths;
    for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
         ++it) {
        if (isSkipped(*it)) {
            if (it->is_directory()) it.disable_recursion_pending();
        } else if (it->is_regular_file()) {
            paths.push_back(fs::relative(it->path(), root).generic_string());
        }
    }
    std::ranges::sort(paths);

    std::vector<Source> tree;
    tree.reserve(paths.size());
    for (std::string& path : paths) {
        std::string text = readFile(fs::path(root) / path);
        const bool isBinary = text.find('\0') != std::string::npos;
        if (!isBinary) tree.emplace_back(std::move(path), std::move(text));
    }
    return tree;
}

} // namespace weir::tidy
