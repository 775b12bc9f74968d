// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/shape.h"

#include "tests/tidy/functions.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

namespace weir::tidy {
namespace {

int allowedLines(
    const Source& source,
    std::string_view rule,
    int budget,
    const std::vector<Allowance>& allowances)
{
    const auto isMine = [&](const Allowance& a) { return a.file == source.path && a.rule == rule; };
    const auto found = std::ranges::find_if(allowances, isMine);
    return found == allowances.end() ? budget : found->lines;
}

std::string_view licenceOf(const Source& source)
{
    const bool isConsole = source.isUnder("app/") || source.isUnder("tests/app/");
    return isConsole ? "GPL-3.0-or-later" : "Apache-2.0";
}

/// The last byte of the expression that a `co_await` at `from` waits for: its semicolon, its comma,
/// or the bracket that was open before it.
std::size_t endOfAwaited(std::string_view code, std::size_t from)
{
    int depth = 0;
    for (std::size_t at = from; at < code.size(); ++at) {
        const char c = code[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0 || (depth == 0 && (c == ';' || c == ','))) return at;
    }
    return code.size();
}

bool endsWithWord(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [text](std::string_view word) {
        return text.ends_with(word) && isWordAt(text, text.size() - word.size(), word);
    });
}

/// The range of a range-based `for` whose parenthesis opens at `from` or behind spaces; empty
/// where it is another kind of loop.
std::string_view rangeOf(std::string_view code, std::size_t from)
{
    from = code.find_first_not_of(" \n", from);
    if (from == std::string_view::npos || code[from] != '(') return {};
    int depth = 0;
    std::size_t colon = 0;
    for (std::size_t at = from; at < code.size(); ++at) {
        const char c = code[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c == ';' && depth == 1) return {};
        const bool isLone = c == ':' && code[at - 1] != ':' && code.substr(at + 1, 1) != ":";
        if (isLone && depth == 1 && colon == 0) colon = code.find_first_not_of(" \n", at + 1);
        if (depth == 0) return colon == 0 ? std::string_view{} : code.substr(colon, at - colon);
    }
    return {};
}

/// True where the `co_await` at `from` stands in the parentheses of if, while or switch.
bool isInCondition(std::string_view code, std::size_t from)
{
    int depth = 0;
    for (std::size_t at = from; at-- > 0;) {
        const char c = code[at];
        if (c == ';' || c == '{' || c == '}') return false;
        if (c == ')') ++depth;
        if (c != '(' || --depth >= 0) continue;
        const std::string_view before = code.substr(0, code.find_last_not_of(" \n", at - 1) + 1);
        if (at > 0 && endsWithWord(before, {"if", "while", "switch"})) return true;
        depth = 0;
    }
    return false;
}

std::string folderOf(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? "" : path.substr(0, slash + 1));
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '/' ||
           c == '-';
}

/// The words of a CMakeLists.txt that could be file names, as paths from the root.
void collectNames(const Source& cmake, std::set<std::string>& names)
{
    const std::string folder = folderOf(cmake.path);
    // foreach(test a b) weir_test(tst_${test} …)
    const bool hasLoop = cmake.text.find("tst_${") != std::string::npos;
    for (std::string_view line : cmake.lines) {
        line = line.substr(0, line.find('#'));
        for (std::size_t at = 0; at < line.size();) {
            std::size_t end = at;
            while (end < line.size() && isNameCharacter(line[end]))
                ++end;
            const std::string name(line.substr(at, end - at));
            if (!name.empty()) names.insert(folder + name);
            if (hasLoop) names.insert(folder + "tst_" + name);
            at = end + 1;
        }
    }
}

bool isIncluded(const std::vector<Source>& tree, const Source& header)
{
    const std::string wanted = "#include \"" + header.path + "\"";
    return header.isHeader() && std::ranges::any_of(tree, [&](const Source& source) {
               return source.text.find(wanted) != std::string::npos;
           });
}

} // namespace

Findings checkSizes(const Source& source, const std::vector<Allowance>& allowances)
{
    Findings findings;
    if (!source.isCpp() && !source.isCMake() && !source.isScript()) return findings;
    const auto check = [&](std::string rule, int line, int lines, int budget, std::string cure) {
        const int allowed = allowedLines(source, rule, budget, allowances);
        const std::string counted =
            std::to_string(lines) + " lines, budget " + std::to_string(allowed) + ": ";
        if (lines > allowed)
            findings.push_back({source.path, line, std::move(rule), counted + cure});
    };
    const int budget = source.isHeader() ? kHeaderLinesMax : kFileLinesMax;
    const int lines = static_cast<int>(source.lines.size());
    check("file-size", 1, lines, budget, "split it where its two subjects meet");

    int longest = 0;
    for (const FunctionSpan& function : functionsIn(source.code)) {
        longest = std::max(longest, function.lines());
        check(
            "function-size",
            function.firstLine,
            function.lines(),
            kFunctionLinesMax,
            "name its steps and give each a function");
    }
    for (const Allowance& allowance : allowances) {
        if (allowance.file != source.path) continue;
        const int actual = allowance.rule == "file-size" ? lines : longest;
        if (actual >= allowance.lines) continue;
        findings.push_back(
            {source.path,
             1,
             "ratchet",
             "it has shrunk: lower its allowance to " + std::to_string(actual) + ", or drop it"});
    }
    return findings;
}

Findings checkOpening(const Source& source)
{
    Findings findings;
    if (source.isHeader() && source.text.find("#pragma once\n") == std::string::npos) {
        findings.push_back({source.path, 1, "pragma-once", "add `#pragma once` under the licence"});
    }
    if (!source.isCpp() && !source.isCMake() && !source.isScript() &&
        !source.path.ends_with(".sql")) {
        return findings;
    }
    const std::size_t line = source.text.starts_with("#!") ? 1 : 0;
    const std::string wanted = "SPDX-License-Identifier: " + std::string(licenceOf(source));
    if (source.lines.size() <= line || !source.lines[line].ends_with(wanted)) {
        findings.push_back(
            {source.path, static_cast<int>(line) + 1, "licence", "this line must be: " + wanted});
    }
    return findings;
}

Findings checkCoroutines(const Source& source)
{
    constexpr std::string_view kWord = "co_await";
    Findings findings;
    const std::string_view code = source.code;
    for (std::size_t at = code.find(kWord); at != std::string_view::npos;
         at = code.find(kWord, at + kWord.size())) {
        if (!isWordAt(code, at, kWord)) continue;
        const std::size_t brace = code.substr(0, endOfAwaited(code, at)).find('{', at);
        if (brace != std::string_view::npos) {
            findings.push_back(
                {source.path,
                 lineAt(code, brace),
                 "co-await-brace",
                 "GCC 12 destroys this temporary twice: name it on the line above the co_await"});
        }
        if (source.isUnder("agent/") && isInCondition(code, at)) {
            findings.push_back(
                {source.path,
                 lineAt(code, at),
                 "co-await-condition",
                 "GCC 12 breaks conditions that await: name the result on the line above"});
        }
    }
    return findings;
}

Findings checkLoops(const Source& source)
{
    constexpr std::string_view kWord = "for";
    Findings findings;
    const std::string_view code = source.code;
    for (std::size_t at = code.find(kWord); at != std::string_view::npos;
         at = code.find(kWord, at + kWord.size())) {
        if (!isWordAt(code, at, kWord)) continue;
        const std::string_view range = rangeOf(code, at + kWord.size());
        const bool isTakenOut = range.find(").value()") != std::string_view::npos ||
                                (range.starts_with('*') && range.ends_with(')'));
        if (!isTakenOut) continue;
        findings.push_back(
            {source.path,
             lineAt(code, at),
             "loop-temporary",
             "what is taken out of a temporary is gone before the loop: name the result above"});
    }
    return findings;
}

Findings checkTargets(const std::vector<Source>& tree)
{
    std::set<std::string> names;
    for (const Source& source : tree) {
        if (source.isCMake()) collectNames(source, names);
    }
    Findings findings;
    for (const Source& source : tree) {
        const bool isOurs = source.isUnder("common/") || source.isUnder("agent/") ||
                            source.isUnder("app/") || source.isUnder("tests/");
        if (!source.isCpp() || !isOurs || names.contains(source.path)) continue;
        // weir_test(tst_x) compiles tst_x.cpp.
        const std::string stem = source.path.substr(0, source.path.rfind('.'));
        if (source.path.ends_with(".cpp") && names.contains(stem)) continue;
        // A test's header belongs to whoever includes it; only libraries publish theirs.
        if (source.isUnder("tests/") && isIncluded(tree, source)) continue;
        findings.push_back(
            {source.path,
             1,
             "target",
             "no target names it: add it to the CMakeLists.txt beside it"});
    }
    return findings;
}

} // namespace weir::tidy
