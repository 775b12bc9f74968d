// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/functions.h"

#include "tests/tidy/source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace weir::tidy {
namespace {

enum class Block { Scope, Function, Initializer };

std::string lastWord(std::string_view text)
{
    std::size_t end = text.find_last_not_of(" \t\n");
    if (end == std::string_view::npos) return {};
    std::size_t begin = end + 1;
    while (begin > 0 &&
           (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_')) {
        --begin;
    }
    return std::string(text.substr(begin, end + 1 - begin));
}

bool opensScope(std::string_view head)
{
    constexpr std::array kScopes{"namespace", "class", "struct", "enum", "union", "extern"};
    return std::ranges::any_of(kScopes, [&](std::string_view word) {
        const std::size_t at = head.find(word);
        return at != std::string_view::npos && isWordAt(head, at, word) &&
               head.find('(') == std::string_view::npos;
    });
}

/// `head` is what stands between the last `;`, `{` or `}` of the enclosing scope and the brace.
Block classify(std::string_view head)
{
    if (opensScope(head)) return Block::Scope;
    const std::size_t arguments = head.find('(');
    if (arguments == std::string_view::npos) return Block::Initializer;

    const std::size_t assigned = head.find('=');
    const bool isOperator = head.find("operator") != std::string_view::npos;
    if (assigned < arguments && !isOperator) return Block::Initializer;

    constexpr std::array kTails{"const", "noexcept", "override", "final", "try", "mutable"};
    const std::string tail = lastWord(head);
    const std::size_t close = head.rfind(')');
    const bool hasReturnType = head.find("->", close) != std::string_view::npos;
    const bool isNamed = !tail.empty() && std::ranges::find(kTails, tail) == kTails.end();
    return isNamed && !hasReturnType ? Block::Initializer : Block::Function;
}

std::size_t matchingBrace(std::string_view code, std::size_t open)
{
    int depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        if (code[at] == '{') ++depth;
        if (code[at] == '}' && --depth == 0) return at;
    }
    return code.size();
}

/// Preprocessor lines would end up in a head; their text is of no interest here.
std::string withoutDirectives(std::string_view code)
{
    std::string text(code);
    bool continues = false;
    std::size_t begin = 0;
    for (const std::string_view line : splitLines(code)) {
        const std::size_t first = line.find_first_not_of(" \t");
        const bool isDirective = first != std::string_view::npos && line[first] == '#';
        if (isDirective || continues) {
            std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), line.size(), ' ');
            continues = line.ends_with('\\');
        }
        begin += line.size() + 1;
    }
    return text;
}

} // namespace

std::vector<FunctionSpan> functionsIn(std::string_view blanked)
{
    const std::string code = withoutDirectives(blanked);
    std::vector<FunctionSpan> functions;
    std::size_t headBegin = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
        if (code[at] == ';' || code[at] == '}') headBegin = at + 1;
        if (code[at] != '{') continue;

        const std::string_view head = std::string_view(code).substr(headBegin, at - headBegin);
        const Block block = classify(head);
        if (block == Block::Scope) {
            headBegin = at + 1;
            continue;
        }
        const std::size_t close = matchingBrace(code, at);
        if (block == Block::Function) {
            const std::size_t first = code.find_first_not_of(" \t\n", headBegin);
            functions.push_back({lineAt(code, first), lineAt(code, close)});
            headBegin = close + 1;
        }
        at = close;
    }
    return functions;
}

} // namespace weir::tidy
