// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/format.h"
#include "agent/ctl/verbs.h"
#include "agent/reports/saved_decisions.h"
#include "agent/reports/settings_edit.h"
#include "common/base/text.h"
#include "common/routing/plan.h"
#include "common/routing/replay.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace weir::ctl {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNamedMax = 20;

struct Replay
{
    std::int64_t decisions = 0;
    std::int64_t mismatches = 0;
    /// Their record or their summary cannot be read.
    std::int64_t unreadable = 0;
    /// Under other settings: another first choice.
    std::int64_t changed = 0;
    /// First choices by provider, as they were and as they would be.
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> first;
    /// The first mismatches and unreadable ones.
    std::vector<std::string> named;
};

std::string firstOf(const SavedDecision& saved, const Decision& decision)
{
    if (decision.candidates.empty()) return "none";
    return saved.providers.at(decision.candidates[0].route);
}

/// Pools as other settings would have planned them from the same figures, each once.
class OtherPlans final
{
public:
    explicit OtherPlans(const RoutingPolicy& policy)
        : m_policy(policy)
    {
    }

    /// What the same request would have got, in adaptive mode.
    [[nodiscard]] Decision decide(const SavedDecision& saved, const PoolSummary* pool)
    {
        DecisionRecord record = saved.shadow ? *saved.shadow : saved.served;
        record.input.policy = m_policy;
        record.input.mode = EffectiveMode::Adaptive;
        if (pool == nullptr) return routing::decideAgain(record, nullptr, saved.providers);
        auto planned = m_pools.find(pool);
        if (planned == m_pools.end()) {
            // Without an incumbent: the question is who would serve, not how fast traffic moves.
            const PoolSummary other =
                routing::replan(nullptr, *pool, m_policy, saved.served.input.nowMs);
            planned = m_pools.emplace(pool, other).first;
        }
        return routing::decideAgain(record, &planned->second, saved.providers);
    }

private:
    RoutingPolicy m_policy;
    std::map<const PoolSummary*, PoolSummary> m_pools;
};

class Replayer final
{
public:
    Replayer(store::Database& database, const std::optional<RoutingPolicy>& other)
        : m_summaries(database)
    {
        if (other) m_other.emplace(*other);
    }

    Status<> visit(const CallRecord& record)
    {
        ++result.decisions;
        const Result<SavedDecision> saved = decodeSavedDecision(record.decision);
        const Result<const PoolSummary*> pool =
            saved ? reports::poolOf(m_summaries, record, saved->served.snapshotId)
                  : Result<const PoolSummary*>{nullptr};
        if (!pool && pool.error().code != "summary_missing") return tl::unexpected(pool.error());
        if (!saved || !pool) {
            ++result.unreadable;
            name(record);
            return {};
        }
        const bool same =
            routing::replays(saved->served, *pool, saved->providers) &&
            (!saved->shadow || routing::replays(*saved->shadow, *pool, saved->providers));
        if (!same) {
            ++result.mismatches;
            name(record);
        }
        compare(*saved, *pool);
        return {};
    }

    Replay result;

private:
    void name(const CallRecord& record)
    {
        if (result.named.size() < kNamedMax) result.named.push_back(record.requestId);
    }

    void compare(const SavedDecision& saved, const PoolSummary* pool)
    {
        const std::string was = firstOf(saved, saved.served.decision);
        ++result.first[was].first;
        if (!m_other) return;
        const std::string other = firstOf(saved, m_other->decide(saved, pool));
        ++result.first[other].second;
        if (other != was) ++result.changed;
    }

    reports::Summaries m_summaries;
    std::optional<OtherPlans> m_other;
};

Json toJson(const Replay& replay, bool whatIf)
{
    Json json{
        {"decisions", replay.decisions},
        {"mismatches", replay.mismatches},
        {"unreadable", replay.unreadable},
        {"request_ids", replay.named}};
    if (whatIf) json["changed"] = replay.changed;
    json["first_choice"] = Json::object();
    for (const auto& [provider, counts] : replay.first) {
        json["first_choice"][provider] = {{"was", counts.first}};
        if (whatIf) json["first_choice"][provider]["would_be"] = counts.second;
    }
    return json;
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void printText(const Io& io, const Replay& replay, bool whatIf)
{
    io.out << formatCount(replay.decisions) << " decisions recomputed, "
           << formatCount(replay.mismatches) << " came out otherwise, "
           << formatCount(replay.unreadable) << " could not be read\n";
    for (const std::string& id : replay.named)
        io.out << "  " << cleaned(id) << '\n';
    if (!whatIf) return;
    io.out << "With other settings " << formatShare(shareOf(replay.changed, replay.decisions))
           << " would have begun elsewhere:\n";
    for (const auto& [provider, counts] : replay.first) {
        io.out << "  " << cleaned(provider) << ": "
               << formatShare(shareOf(counts.first, replay.decisions)) << " → "
               << formatShare(shareOf(counts.second, replay.decisions)) << '\n';
    }
}

/// The settings in force with the assignments made.
Result<RoutingPolicy>
editedPolicy(store::Database& database, const std::vector<std::string>& assignments)
{
    const Result<Decisions> decisions = database.readDecisions();
    if (!decisions) return tl::unexpected(decisions.error());
    const Result<reports::Edit> edit = reports::editSettings(*decisions, assignments, {});
    if (!edit) return tl::unexpected(edit.error());
    if (!edit->routes.empty()) {
        return fail("bad_usage", "--set", "takes settings of the whole, not of one route");
    }
    return policyOf(edit->settings);
}

} // namespace

Exit run(
    const DecisionsReplayVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    std::optional<RoutingPolicy> other;
    if (!verb.assignments.empty()) {
        const Result<RoutingPolicy> edited = editedPolicy(**database, verb.assignments);
        if (!edited) {
            failed(io, edited.error());
            return edited.error().code == "bad_usage" ? Exit::Usage : Exit::Failed;
        }
        other = *edited;
    }
    Replayer replayer(**database, other);
    const Status<> read =
        reports::eachDecided(**database, verb.since, [&replayer](const CallRecord& record) {
            return replayer.visit(record);
        });
    if (!read) return failed(io, read.error());
    if (options.json) {
        io.out << toJson(replayer.result, other.has_value()).dump(2) << '\n';
    } else {
        printText(io, replayer.result, other.has_value());
    }
    const bool clean = replayer.result.mismatches == 0 && replayer.result.unreadable == 0;
    return clean ? Exit::Done : Exit::Failed;
}

Exit run(
    const DecisionsAgreementVerb& verb, const Places& places, const Options& options, const Io& io)
{
    const auto database = places.openStore();
    if (!database) return failed(io, database.error());
    std::int64_t shadowed = 0;
    std::int64_t agreed = 0;
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> first;
    const auto visit = [&](const CallRecord& record) -> Status<> {
        const Result<SavedDecision> saved = decodeSavedDecision(record.decision);
        if (!saved || !saved->shadow) return {};
        const std::string served = firstOf(*saved, saved->served.decision);
        const std::string shadow = firstOf(*saved, saved->shadow->decision);
        ++shadowed;
        agreed += served == shadow ? 1 : 0;
        ++first[served].first;
        ++first[shadow].second;
        return {};
    };
    if (const Status<> read = reports::eachDecided(**database, verb.since, visit); !read) {
        return failed(io, read.error());
    }
    if (options.json) {
        Json json{{"decisions", shadowed}, {"agreed", agreed}, {"first_choice", Json::object()}};
        json["agreement"] = shadowed == 0 ? Json(nullptr) : Json(shareOf(agreed, shadowed));
        for (const auto& [provider, counts] : first) {
            json["first_choice"][provider] = {{"fixed", counts.first}, {"shadow", counts.second}};
        }
        io.out << json.dump(2) << '\n';
        return Exit::Done;
    }
    if (shadowed == 0) {
        io.out << "No decision of shadow mode in that time.\n";
        return Exit::Done;
    }
    io.out << "Shadow mode agreed with the fixed order in "
           << formatShare(shareOf(agreed, shadowed)) << " of " << formatCount(shadowed)
           << " decisions.\n";
    for (const auto& [provider, counts] : first) {
        io.out << "  " << cleaned(provider) << ": served "
               << formatShare(shareOf(counts.first, shadowed)) << ", shadow would have "
               << formatShare(shareOf(counts.second, shadowed)) << '\n';
    }
    return Exit::Done;
}

} // namespace weir::ctl
