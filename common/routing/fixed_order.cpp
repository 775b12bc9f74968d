// SPDX-License-Identifier: Apache-2.0
#include "common/routing/fixed_order.h"

#include <algorithm>
#include <tuple>

namespace weir::routing {

const RouteSettings* settingsOf(
    const std::vector<RouteSettings>& settings, std::string_view model, std::string_view provider)
{
    const auto found =
        std::find_if(settings.begin(), settings.end(), [&](const RouteSettings& row) {
            return row.model == model && row.provider == provider;
        });
    return found == settings.end() ? nullptr : &*found;
}

std::vector<std::string>
fixedOrder(const ModelConfig& model, const std::vector<RouteSettings>& settings)
{
    struct Place
    {
        int position = 0;
        int order = 0;
        bool configured = true;
        std::string provider;
    };

    std::vector<Place> places;
    int order = 0;
    for (const std::string& provider : model.fixedOrder) {
        ++order;
        const RouteSettings* own = settingsOf(settings, model.name, provider);
        if (own != nullptr && !own->enabled) continue;
        const bool moved = own != nullptr && own->fixedPosition.has_value();
        places.push_back({moved ? *own->fixedPosition : order, order, !moved, provider});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return std::tie(a.position, a.configured, a.order) <
               std::tie(b.position, b.configured, b.order);
    });
    std::vector<std::string> providers;
    providers.reserve(places.size());
    for (Place& place : places)
        providers.push_back(std::move(place.provider));
    return providers;
}

} // namespace weir::routing
