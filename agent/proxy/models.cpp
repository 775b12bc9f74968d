// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/models.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace weir::proxy {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> namesOf(const Config& config)
{
    std::vector<std::string> names;
    for (const auto& [name, model] : config.models)
        names.push_back(name);
    const bool ladder =
        std::any_of(config.tasks.begin(), config.tasks.end(), [](const auto& entry) {
            return !entry.second.models.empty();
        });
    if (ladder) names.emplace_back("auto");
    return names;
}

} // namespace

std::string modelsBody(Protocol protocol, const Config& config)
{
    const std::vector<std::string> names = namesOf(config);
    Json list = Json::array();
    for (const std::string& name : names) {
        if (protocol == Protocol::Anthropic) {
            list.push_back(
                {{"type", "model"},
                 {"id", name},
                 {"display_name", name},
                 {"created_at", "1970-01-01T00:00:00Z"}});
        } else {
            list.push_back(
                {{"id", name}, {"object", "model"}, {"created", 0}, {"owned_by", "weir"}});
        }
    }
    if (protocol == Protocol::OpenAi) {
        return Json{{"object", "list"}, {"data", std::move(list)}}.dump();
    }
    Json page{
        {"data", std::move(list)},
        {"has_more", false},
        {"first_id", nullptr},
        {"last_id", nullptr}};
    if (!names.empty()) {
        page["first_id"] = names.front();
        page["last_id"] = names.back();
    }
    return page.dump();
}

std::string modelNames(const Config& config)
{
    std::string text;
    for (const std::string& name : namesOf(config))
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace weir::proxy
