// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_codec.h"

#include "agent/fleet/gate_fields.h"
#include "agent/fleet/message_fields.h"
#include "agent/fleet/packed.h"

#include <algorithm>
#include <array>

namespace weir::fleet {
namespace {

constexpr char kGate = 'G';
constexpr char kAccount = 'A';
constexpr char kReport = 'R';
constexpr char kReply = 'r';

/// More than any fleet has; a list's length in damaged bytes must not take the memory.
constexpr std::size_t kAgentsMax = 16384;
constexpr std::size_t kRoutesMax = 4096;
constexpr std::size_t kNameMax = 256;
constexpr std::int64_t kRingMs = routing::kCohortMs * routing::CohortRing::kBuckets;

constexpr std::array<std::int32_t routing::Cohort::*, 9> kCounts{
    &routing::Cohort::dispatched,
    &routing::Cohort::ok,
    &routing::Cohort::rateLimited,
    &routing::Cohort::failed,
    &routing::Cohort::breakerHalves,
    &routing::Cohort::creditRefused,
    &routing::Cohort::authRefused,
    &routing::Cohort::misconfigured,
    &routing::Cohort::neutral};

using Cohorts = std::vector<routing::Cohort>;

/// Those that still count; of each only the counts that are not zero, which are few.
void write(PackedWriter& to, const Cohorts& cohorts)
{
    to.number(cohorts.size());
    std::int64_t before = 0;
    for (const routing::Cohort& cohort : cohorts) {
        to.wide((cohort.startMs - before) / routing::kCohortMs);
        before = cohort.startMs;
        unsigned present = 0;
        for (std::size_t i = 0; i < kCounts.size(); ++i)
            present |= cohort.*kCounts[i] != 0 ? 1U << i : 0U;
        to.number(present);
        for (const auto count : kCounts) {
            if (cohort.*count != 0) to.number(cohort.*count);
        }
        to.number(cohort.failedSeconds);
    }
}

void read(PackedReader& from, Cohorts& cohorts)
{
    cohorts.resize(from.length(routing::CohortRing::kBuckets + 1));
    std::int64_t bucket = 0;
    constexpr std::int64_t kBucketMax = PackedReader::kWideMax / routing::kCohortMs / 4;
    for (routing::Cohort& cohort : cohorts) {
        std::int64_t step = 0;
        from.bounded(step, -kBucketMax, kBucketMax);
        bucket = std::clamp(bucket + step, -2 * kBucketMax, 2 * kBucketMax);
        cohort.startMs = bucket * routing::kCohortMs;
        unsigned present = 0;
        from.bounded(present, 0, (1 << kCounts.size()) - 1);
        for (std::size_t i = 0; i < kCounts.size(); ++i) {
            if ((present >> i & 1U) != 0) from.number(cohort.*kCounts[i]);
        }
        from.number(cohort.failedSeconds);
    }
}

/// In the order of time, and none that is out of reach.
Cohorts listOf(const routing::CohortRing& ring, std::int64_t lastMs)
{
    Cohorts cohorts;
    for (const routing::Cohort& cohort : ring.buckets) {
        const bool isEmpty = cohort == routing::Cohort{.startMs = cohort.startMs};
        if (!isEmpty && cohort.startMs > lastMs - kRingMs) cohorts.push_back(cohort);
    }
    std::ranges::sort(cohorts, {}, &routing::Cohort::startMs);
    return cohorts;
}

void write(PackedWriter& to, const std::vector<routing::AgentWant>& wants, std::int64_t lastMs)
{
    to.number(wants.size());
    for (const routing::AgentWant& want : wants) {
        to.number(want.agent);
        to.wide(lastMs - want.seenMs);
        to.number(want.sequence);
        for (const std::int64_t rate : want.wantMicro)
            to.rate(rate);
        to.rate(want.groupMicro);
    }
}

void read(PackedReader& from, std::vector<routing::AgentWant>& wants, std::int64_t lastMs)
{
    wants.resize(from.length(kAgentsMax));
    std::int64_t before = -1;
    for (routing::AgentWant& want : wants) {
        std::int64_t age = 0;
        from.number(want.agent);
        from.bounded(age, 0, PackedReader::kWideMax);
        want.seenMs = std::max(lastMs - age, routing::kNeverMs);
        from.number(want.sequence);
        for (std::int64_t& rate : want.wantMicro)
            from.rate(rate);
        from.rate(want.groupMicro);
        // They are searched by halves.
        if (want.agent <= before) from.refuse();
        if (from.failed()) break;
        before = want.agent;
    }
}

template <class Visitor, class Params>
void paramFields(Visitor& to, Params& params)
{
    to.bounded(params.firstOpenMs, 1, 3'600'000);
    to.bounded(params.probeTtlMs, 0, 86'400'000);
    to.bounded(params.validMs, 1, 60'000);
    to.number(params.quota.milliRps);
    to.number(params.quota.tokensPerMinute);
}

template <class Visitor, class Counters>
void counterFields(Visitor& to, Counters& counters)
{
    to.number(counters.cuts);
    to.flag(counters.cut);
    to.flag(counters.recovering);
}

} // namespace

std::string packed(const SharedGate& gate)
{
    PackedWriter to(kGate);
    lastingFields(to, gate.state);
    passingFields(to, gate.state);
    write(to, listOf(gate.state.cohorts, gate.state.lastMs));
    write(to, gate.state.wants, gate.state.lastMs);
    counterFields(to, gate.counters);
    return to.take();
}

std::optional<SharedGate> unpackGate(std::string_view bytes)
{
    PackedReader from(kGate, bytes);
    SharedGate gate;
    lastingFields(from, gate.state);
    passingFields(from, gate.state);
    Cohorts cohorts;
    read(from, cohorts);
    read(from, gate.state.wants, gate.state.lastMs);
    counterFields(from, gate.counters);
    if (!from.good()) return std::nullopt;
    for (const routing::Cohort& cohort : cohorts)
        gate.state.cohorts.at(cohort.startMs) = cohort;
    return gate;
}

std::string packed(const routing::AccountHold& account)
{
    PackedWriter to(kAccount);
    lastingHoldFields(to, account);
    passingHoldFields(to, account);
    return to.take();
}

std::optional<routing::AccountHold> unpackAccount(std::string_view bytes)
{
    PackedReader from(kAccount, bytes);
    routing::AccountHold account;
    lastingHoldFields(from, account);
    passingHoldFields(from, account);
    return from.good() ? std::optional{account} : std::nullopt;
}

std::string packed(const ReportMessage& message)
{
    PackedWriter to(kReport);
    to.wide(message.sentMs);
    to.number(message.routes.size());
    for (const RouteReport& route : message.routes) {
        to.text(route.model);
        to.flag(route.everUsed);
        paramFields(to, route.params);
        reportFields(to, route.report);
        write(to, route.report.cohorts);
    }
    return to.take();
}

std::optional<ReportMessage> unpackReport(std::string_view bytes)
{
    PackedReader from(kReport, bytes);
    ReportMessage message;
    from.wide(message.sentMs);
    message.routes.resize(from.length(kRoutesMax));
    for (RouteReport& route : message.routes) {
        if (from.failed()) break;
        from.text(route.model, kNameMax);
        from.flag(route.everUsed);
        paramFields(from, route.params);
        reportFields(from, route.report);
        read(from, route.report.cohorts);
    }
    return from.good() ? std::optional{std::move(message)} : std::nullopt;
}

std::string packed(const ReplyMessage& message)
{
    PackedWriter to(kReply);
    to.number(message.agents);
    to.number(message.routes.size());
    for (const RouteReply& route : message.routes) {
        to.text(route.model);
        replyFields(to, route.reply);
        counterFields(to, route.counters);
        to.number(route.groupMilliRps);
    }
    return to.take();
}

std::optional<ReplyMessage> unpackReply(std::string_view bytes)
{
    PackedReader from(kReply, bytes);
    ReplyMessage message;
    from.number(message.agents);
    message.routes.resize(from.length(kRoutesMax));
    for (RouteReply& route : message.routes) {
        if (from.failed()) break;
        from.text(route.model, kNameMax);
        replyFields(from, route.reply);
        counterFields(from, route.counters);
        from.number(route.groupMilliRps);
    }
    return from.good() ? std::optional{std::move(message)} : std::nullopt;
}

} // namespace weir::fleet
