// SPDX-License-Identifier: Apache-2.0
#include "common/model/saved_decision.h"

#include <algorithm>

namespace weir {
namespace {

std::vector<std::string_view> parts(std::string_view text, char separator)
{
    std::vector<std::string_view> result;
    for (;;) {
        const std::size_t end = text.find(separator);
        result.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return result;
        text.remove_prefix(end + 1);
    }
}

} // namespace

std::string encode(const SavedDecision& saved)
{
    std::string text;
    for (const std::string& provider : saved.providers)
        text += (text.empty() ? "" : ",") + provider;
    text += '|' + encode(saved.served);
    if (saved.shadow) text += '|' + encode(*saved.shadow);
    return text;
}

Result<SavedDecision> decodeSavedDecision(std::string_view text)
{
    const std::vector<std::string_view> all = parts(text, '|');
    if (all.size() < 2 || all.size() > 3) {
        return fail("bad_decision", "", "not a saved decision");
    }
    SavedDecision saved;
    for (const std::string_view provider : parts(all[0], ','))
        saved.providers.emplace_back(provider);
    Result<DecisionRecord> served = decodeDecision(all[1]);
    if (!served) return tl::unexpected(served.error());
    saved.served = std::move(*served);
    if (all.size() == 3) {
        Result<DecisionRecord> shadow = decodeDecision(all[2]);
        if (!shadow) return tl::unexpected(shadow.error());
        saved.shadow = std::move(*shadow);
    }
    if (saved.providers.size() != saved.served.input.routes.size()) {
        return fail("bad_decision", "", "its names do not fit its routes");
    }
    return saved;
}

} // namespace weir
