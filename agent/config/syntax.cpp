// SPDX-License-Identifier: Apache-2.0
#include "agent/config/syntax.h"

#include "common/base/text.h"

#include <string>
#include <vector>

namespace weir::config {
namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// "provider.baseten" of "[provider.baseten] # …"; empty where the line is no header.
std::string_view headerOf(std::string_view line)
{
    if (!line.starts_with('[')) return {};
    const std::size_t first = line.find_first_not_of("[ \t");
    const std::size_t last = line.find(']');
    if (first == std::string_view::npos || last == std::string_view::npos || last < first)
        return {};
    return trimmed(line.substr(first, last - first));
}

/// "port" of "port = 3"; empty where the line sets nothing.
std::string_view keyOf(std::string_view line)
{
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || line.starts_with('[') || equals == std::string_view::npos)
        return {};
    return trimmed(line.substr(0, equals));
}

struct Place
{
    std::string_view header;
    std::string_view key;

    bool operator==(const Place&) const = default;
};

/// Where line `index` stands: the header above it, and the key that it sets.
Place placeOf(const std::vector<std::string_view>& lines, std::size_t index)
{
    Place place;
    if (index >= lines.size()) return place;
    place.key = keyOf(lines[index]);
    for (std::size_t i = index + 1; i-- > 0 && place.header.empty();)
        place.header = headerOf(lines[i]);
    return place;
}

std::string pathOf(const Place& place)
{
    if (place.header.empty()) return cleaned(place.key, 96);
    return cleaned(place.header, 96) + (place.key.empty() ? "" : '.' + cleaned(place.key, 96));
}

/// ", first on line 3", where an earlier line has the same place.
std::string firstLine(const std::vector<std::string_view>& lines, std::size_t index)
{
    if (index >= lines.size()) return {};
    const Place place = placeOf(lines, index);
    for (std::size_t i = 0; i < index; ++i) {
        const bool isHeader = !headerOf(lines[i]).empty();
        if (isHeader == place.key.empty() && placeOf(lines, i) == place) {
            return ", first on line " + std::to_string(i + 1);
        }
    }
    return {};
}

/// The parser's words, with a cure for the commonest slip. They quote a whole value only where it
/// is a number, which is left out: the file may hold a secret in the wrong place.
std::string reason(std::string_view words)
{
    constexpr std::string_view kPrefix = "Error while parsing ";
    if (words.starts_with(kPrefix)) words.remove_prefix(kPrefix.size());
    const auto says = [words](std::string_view part) { return words.find(part) != words.npos; };
    if (says("not representable") || says("could not be interpreted")) {
        return "a number that is too large";
    }
    if (says("control characters")) {
        return "a text that is not closed on its own line, or a control character in it";
    }
    const bool isUnquoted = says("could not determine value type") ||
                            says("integer: expected digit") || says("expected decimal digit") ||
                            says("expected value-terminator");
    if (isUnquoted) return "neither a number, nor true or false, nor a text in quotes";
    return cleaned(words, 120);
}

} // namespace

ConfigError
explain(const toml::parse_error& error, std::string_view text, const std::string& fileName)
{
    const auto line = static_cast<int>(error.source().begin.line);
    const auto index = static_cast<std::size_t>(line > 0 ? line - 1 : 0);
    const std::vector<std::string_view> lines = linesOf(text);
    ConfigError result{fileName, line, pathOf(placeOf(lines, index)), {}};
    const std::string_view what = error.description();
    if (what.find("redefine") != std::string_view::npos) {
        result.detail = "stands twice" + firstLine(lines, index) +
                        ": keep one of the two, or give it another name";
        return result;
    }
    const std::size_t column = error.source().begin.column;
    result.detail = "is not TOML, at column " + std::to_string(column) + ": " + reason(what);
    return result;
}

} // namespace weir::config
