// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/provider_order.h"

#include <algorithm>

namespace weir::model {

std::vector<std::string> providerOrder(Console& console, std::set<std::string> providers)
{
    std::vector<std::string> order = console.models().history().providers();
    for (const std::string& known : order)
        providers.erase(known);
    order.insert(order.end(), providers.begin(), providers.end());
    return order;
}

int colourIn(const std::vector<std::string>& order, const std::string& provider)
{
    const auto found = std::ranges::find(order, provider);
    return found == order.end() ? 0 : static_cast<int>(found - order.begin());
}

} // namespace weir::model
