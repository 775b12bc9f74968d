// SPDX-License-Identifier: Apache-2.0
#include "tests/tidy/house.h"

#include "tests/tidy/layers.h"
#include "tests/tidy/words.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace weir::tidy {

Findings checkTree(
    const std::vector<Source>& tree,
    const std::string& checkout,
    const std::vector<Allowance>& allowances)
{
    std::set<std::string_view> paths;
    for (const Source& source : tree)
        paths.insert(source.path);

    Findings all = checkTargets(tree);
    const auto take = [&all](const Findings& some) {
        all.insert(all.end(), some.begin(), some.end());
    };
    for (const Source& source : tree) {
        const std::string own = source.path.substr(0, source.path.rfind('.')) + ".h";
        take(checkOpening(source));
        take(checkIncludes(source, paths.contains(own)));
        take(checkLinks(source));
        take(checkWords(source));
        take(checkSecrets(source));
        take(checkCoroutines(source));
        take(checkLoops(source));
        take(checkSizes(source, allowances));
        take(checkText(source, checkout));
    }
    std::ranges::sort(all, {}, [](const Finding& f) { return std::tie(f.file, f.line, f.rule); });
    return all;
}

} // namespace weir::tidy
