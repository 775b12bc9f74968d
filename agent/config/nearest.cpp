// SPDX-License-Identifier: Apache-2.0
#include "agent/config/nearest.h"

#include <algorithm>
#include <vector>

namespace weir::config {
namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kMostListed = 12;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Optimal string alignment distance: three rows, as a swap looks back two.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// "idle" for "idle_timeout_ms", where no other candidate begins like that.
std::optional<std::string_view>
onlyLonger(std::string_view word, std::span<const std::string_view> candidates)
{
    const auto isLonger = [word](std::string_view candidate) {
        return candidate.starts_with(word);
    };
    const auto found = std::find_if(candidates.begin(), candidates.end(), isLonger);
    if (word.size() < 3 || found == candidates.end()) return std::nullopt;
    return std::find_if(found + 1, candidates.end(), isLonger) == candidates.end()
               ? std::optional{*found}
               : std::nullopt;
}

} // namespace

std::optional<std::string_view>
nearest(std::string_view word, std::span<const std::string_view> candidates)
{
    if (word.empty() || word.size() > kLongestWord) return std::nullopt;
    std::size_t bound = std::max<std::size_t>(1, word.size() / 3);
    std::optional<std::string_view> best;
    for (const std::string_view candidate : candidates) {
        if (candidate.empty() || candidate.size() > kLongestWord) continue;
        const std::size_t distance = editDistance(word, candidate);
        if (distance >= std::max(word.size(), candidate.size())) continue;
        if (distance > bound || (best && distance == bound)) continue;
        best = candidate;
        bound = distance;
    }
    return best ? best : onlyLonger(word, candidates);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates)
{
    if (const auto guess = nearest(word, candidates)) {
        return ": did you mean " + std::string{*guess} + '?';
    }
    if (candidates.empty()) return {};
    std::string text = candidates.size() == 1 ? ": known is " : ": known are ";
    for (std::size_t i = 0; i < std::min(candidates.size(), kMostListed); ++i) {
        if (i != 0) text += ", ";
        text += candidates[i];
    }
    return candidates.size() > kMostListed ? text + ", …" : text;
}

} // namespace weir::config
