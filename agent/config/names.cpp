// SPDX-License-Identifier: Apache-2.0
#include "agent/config/parts.h"

#include <algorithm>
#include <cctype>

namespace weir::config {
namespace {

constexpr std::size_t kLongestVariable = 128;

bool isVariableName(std::string_view name)
{
    return !name.empty() && name.size() <= kLongestVariable &&
           std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
           });
}

/// NAMES_LIKE_THIS are safe to repeat; anything else may be a key pasted by mistake.
bool isSurelyAName(std::string_view name)
{
    return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

} // namespace

std::optional<std::string> faultOfName(std::string_view name, NameKind kind)
{
    const std::size_t longest = kind == NameKind::Plain ? 64 : 128;
    const std::string_view marks = kind == NameKind::Plain ? "._-" : "._-/:@+";
    const bool isFit = std::all_of(name.begin(), name.end(), [marks](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               marks.find(c) != std::string_view::npos;
    });
    if (isFit && !name.empty() && name.size() <= longest) return std::nullopt;
    std::string spaced;
    for (const char mark : marks)
        (spaced += ' ') += mark;
    return "must be 1 to " + std::to_string(longest) + " letters, digits and" + spaced + ", not " +
           quoted(name);
}

std::vector<std::string> readPatterns(Section& section, std::string_view key)
{
    std::vector<std::string> patterns;
    for (const Located& word : section.texts(key).value_or(std::vector<Located>{})) {
        std::string_view name = word.text;
        if (name.ends_with('*')) name.remove_suffix(1);
        const auto fault = faultOfName(name.empty() ? "any" : name, NameKind::Plain);
        if (fault || word.text.empty()) {
            section.fault(
                key,
                word.line,
                "must hold words of letters, digits and . _ - with a * at the end for any rest, "
                "not " +
                    quoted(word.text));
            continue;
        }
        patterns.push_back(word.text);
    }
    return patterns;
}

std::vector<std::string_view> keysOf(const toml::table* table)
{
    std::vector<std::string_view> keys;
    if (table == nullptr) return keys;
    for (const auto& [key, node] : *table)
        keys.push_back(key.str());
    return keys;
}

Secret
secretFrom(const Located& variable, std::string_view key, Section& section, const EnvLookup& env)
{
    const std::string& name = variable.text;
    if (!isVariableName(name)) {
        section.fault(
            key,
            variable.line,
            "must be the name of an environment variable (letters, digits and _), never the key "
            "itself");
        return {};
    }
    const std::optional<std::string> value = env(name);
    if (!value && !isSurelyAName(name)) {
        section.fault(
            key,
            variable.line,
            "no environment variable has this name (not repeated here, as it may be a key pasted "
            "by "
            "mistake): put the key into a variable and write the variable's name");
        return {};
    }
    const auto bad = [&](std::string_view detail) {
        section.fault(key, variable.line, "environment variable " + name + std::string{detail});
        return Secret{};
    };
    if (!value) return bad(" is not set: export it before the agent starts");
    if (value->empty()) return bad(" is empty: put the key into it");
    const bool isFit =
        std::all_of(value->begin(), value->end(), [](char c) { return c > ' ' && c < 0x7F; });
    if (!isFit) return bad(" holds a space, a line end or a letter outside ASCII: set it anew");
    return Secret{*value};
}

} // namespace weir::config
