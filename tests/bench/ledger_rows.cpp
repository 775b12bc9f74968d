// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/ledger_rows.h"

#include <array>
#include <cstdio>
#include <string>

namespace weir::bench {
namespace {

constexpr std::array kModels{"glm-5.2", "sonnet-4.5"};
constexpr std::array kProviders{"baseten", "fireworks", "coreweave"};
constexpr std::array kTaskTypes{"default", "code-review", "extract"};
constexpr std::int64_t kGapMs = 10;
constexpr std::size_t kDecisionCharacters = 450;

template <std::size_t Size>
std::string pick(const std::array<const char*, Size>& words, std::uint64_t by)
{
    return std::string{words.at(by % Size)};
}

/// A fixed sequence without a pattern that a compressor or an index would see.
std::uint64_t scattered(std::int64_t number)
{
    auto value = static_cast<std::uint64_t>(number) * 0x9E37'79B9'7F4A'7C15U;
    value ^= value >> 29U;
    return value * 0xBF58'476D'1CE4'E5B9U;
}

std::string hex(std::uint64_t value, int digits)
{
    std::array<char, 20> text{};
    std::snprintf(
        text.data(), text.size(), "%0*llx", digits, static_cast<unsigned long long>(value));
    return std::string{text.data()};
}

} // namespace

CallRecord ledgerRow(std::int64_t number, UtcTime start)
{
    const std::uint64_t luck = scattered(number);
    CallRecord row;
    row.startedAt = start + std::chrono::milliseconds{number * kGapMs};
    row.requestId =
        hex(static_cast<std::uint64_t>(epochMs(row.startedAt)), 12) + hex(luck, 16) + "7f3a";
    row.agentId = "6d51fc401cf93899679554c59310ae5b";
    row.service = "code-review";
    row.taskId = luck % 5 < 2 ? row.requestId : "task-" + std::to_string(number / 50);
    row.taskType = pick(kTaskTypes, luck / 7);
    row.conversation = hex(luck / 3, 16);
    row.model = pick(kModels, luck / 11);
    row.provider = pick(kProviders, luck / 13);
    row.route = row.provider + "/zai-org/GLM-5.2@us";
    row.stream = true;
    row.ttftMs = 300 + static_cast<std::int64_t>(luck % 900);
    row.durationMs = 2000 + static_cast<std::int64_t>(luck % 9000);
    if (luck % 50 == 0) row.outcome = Outcome::RateLimited;
    row.httpStatus = row.outcome == Outcome::Ok ? 200 : 429;
    row.finishReason = "stop";
    row.usage.inputUncached = static_cast<std::int64_t>(luck % 3000);
    row.usage.inputCached = static_cast<std::int64_t>(luck % 7000);
    row.usage.output = static_cast<std::int64_t>(luck % 800);
    row.costMicroUsd = static_cast<std::int64_t>(luck % 20'000);
    row.mode = EffectiveMode::Adaptive;
    row.reason = Reason::Leader;
    row.snapshotId = "d1925081dc4fa4e5";
    row.settingsVersion = 3;
    row.switchVersion = 2;
    row.seed = luck;
    row.eligibleMask = 7;
    row.caller = "TEAM_A_KEY";
    row.promptEstimate = 1200;
    row.last = true;
    if (number % 10 != 0) {
        row.decision = "d1";
        while (row.decision.size() < kDecisionCharacters)
            row.decision +=
                ' ' +
                std::to_string(
                    scattered(number + static_cast<std::int64_t>(row.decision.size())) % 100'000);
    }
    return row;
}

} // namespace weir::bench
