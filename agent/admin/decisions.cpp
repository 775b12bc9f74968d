// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/decisions.h"

#include "agent/admin/decision_detail.h"
#include "common/base/assert.h"
#include "common/model/call_record_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace weir::admin {
namespace {

using Json = nlohmann::ordered_json;
using Attempts = RecentDecisions::Attempts;

constexpr std::size_t kMaskBits = 64;

void sortByAttempt(Attempts& attempts)
{
    std::stable_sort(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) {
        return a.record.attempt < b.record.attempt;
    });
}

Json requestJson(const Attempts& attempts)
{
    const CallRecord& first = attempts.front().record;
    const CallRecord& last = attempts.back().record;
    return {
        {"request_id", first.requestId},
        {"started_at", toIso(first.startedAt)},
        {"task_id", first.taskId},
        {"task_type", first.taskType},
        {"conversation", first.conversation},
        {"model", first.model},
        {"stream", first.stream},
        {"mode", toWord(last.mode)},
        {"reason", toWord(last.reason)},
        {"level", "L" + std::to_string(last.level)},
        {"provider", last.provider},
        {"route", last.route},
        {"outcome", toWord(last.outcome)},
        {"attempts", attempts.size()}};
}

/// The model's routes as they were configured when the decision fell.
Json candidatesJson(const Attempts& attempts)
{
    const CallRecord& first = attempts.front().record;
    Json candidates = Json::array();
    const auto& config = attempts.front().config;
    if (!config) return candidates;
    const auto model = config->models.find(first.model);
    if (model == config->models.end()) return candidates;
    const std::vector<RouteConfig>& routes = model->second.routes;
    for (std::size_t i = 0; i < std::min(routes.size(), kMaskBits); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        Json tried = Json::array();
        for (const auto& entry : attempts) {
            if (entry.record.provider == routes[i].provider) tried.push_back(entry.record.attempt);
        }
        candidates.push_back(
            {{"provider", routes[i].provider},
             {"route", routes[i].name()},
             {"eligible", (first.eligibleMask & bit) != 0},
             {"held", (first.heldMask & bit) != 0},
             {"attempts", std::move(tried)}});
    }
    return candidates;
}

} // namespace

void RecentDecisions::add(
    std::span<const CallRecord> records, const std::shared_ptr<const Config>& config)
{
    const std::scoped_lock lock(m_mutex);
    for (const CallRecord& record : records.last(std::min(records.size(), kAttemptsMax))) {
        if (record.unserved != Unserved::None) continue;
        if (m_entries.size() < kAttemptsMax) {
            m_entries.push_back({record, config});
            continue;
        }
        Entry& oldest = m_entries[m_next];
        oldest.record = record;
        if (oldest.config != config) oldest.config = config;
        m_next = (m_next + 1) % kAttemptsMax;
    }
}

std::vector<Attempts> RecentDecisions::newest(std::size_t limit) const
{
    std::vector<Attempts> requests;
    const std::scoped_lock lock(m_mutex);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = m_entries.size(); i > 0; --i) {
        const Entry& entry = m_entries[(m_next + i - 1) % m_entries.size()];
        const std::string_view id = entry.record.requestId;
        const auto known = places.find(id);
        if (known != places.end()) {
            requests[known->second].push_back(entry);
        } else if (requests.size() < limit) {
            places.emplace(id, requests.size());
            requests.push_back({entry});
        }
    }
    for (Attempts& attempts : requests)
        sortByAttempt(attempts);
    return requests;
}

Attempts RecentDecisions::find(std::string_view requestId) const
{
    Attempts attempts;
    const std::scoped_lock lock(m_mutex);
    for (const Entry& entry : m_entries) {
        if (entry.record.requestId == requestId) attempts.push_back(entry);
    }
    sortByAttempt(attempts);
    return attempts;
}

std::string decisionListJson(const std::vector<Attempts>& requests)
{
    Json list = Json::array();
    for (const Attempts& attempts : requests)
        list.push_back(requestJson(attempts));
    const Json document{{"decisions", std::move(list)}};
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string decisionJson(const Attempts& attempts, const Summary* summary)
{
    WEIR_ASSERT(!attempts.empty());
    const CallRecord& first = attempts.front().record;
    Json document = requestJson(attempts);
    // The ring forgets attempt by attempt, so the first ones of a request may be gone.
    document["complete"] = first.attempt == 1;
    document["snapshot_id"] = first.snapshotId;
    document["settings_version"] = first.settingsVersion;
    document["switch_version"] = first.switchVersion;
    document["seed"] = first.seed;
    document["eligible_mask"] = first.eligibleMask;
    document["held_mask"] = first.heldMask;
    document["candidates"] = candidatesJson(attempts);
    addDetail(document, first, summary);
    Json rows = Json::array();
    for (const auto& entry : attempts)
        rows.push_back(toJson(entry.record));
    document["attempts"] = std::move(rows);
    return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace weir::admin
