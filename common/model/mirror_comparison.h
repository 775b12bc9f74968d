// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/outcome.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// What became of one request that the coin meant for a copy (seed document 003, "A/B production
/// checks"). The label `result` of `weir_mirror_total`.
enum class MirrorResult : std::uint8_t {
    /// Both answers are there, with a grade each.
    Graded,
    /// Both are there, and no grader is configured.
    Compared,
    /// Both are there, but the grader could not be asked or gave no grade.
    Ungraded,
    CandidateFailed,
    /// The agent stopped before the copy was answered.
    Cancelled,
    SkippedSingleShot,
    SkippedBatch,
    /// A drill had a hand in it.
    SkippedDrill,
    /// The request itself was not answered, or not at L0.
    SkippedUnanswered,
    /// The request or the answer is too large to be kept.
    SkippedLarge,
    /// The answer is more than one text (a tool call, several choices).
    SkippedNotText,
    /// As many copies as may be are under way.
    SkippedBusy,
    /// No route of the candidate may serve it: region, terms, capabilities, length.
    SkippedIneligible,
    /// The candidate's gate has no room for it.
    SkippedGate,
};

inline constexpr std::size_t kMirrorResultCount = 14;

/// "graded", "candidate_failed", "skipped_gate", …
[[nodiscard]] std::string_view toWord(MirrorResult result);

/// One of the two answers of a comparison, without its text.
struct MirrorSide
{
    std::string model;
    std::string provider;
    Outcome outcome = Outcome::Ok;
    /// Nothing where the request asked for no schema, or there is no answer.
    std::optional<bool> schemaValid;
    bool refused = false;
    /// The grader's, in ppm of 1; nothing where there is none.
    std::optional<std::int64_t> scorePpm;
    std::optional<std::int64_t> ttftMs;
    std::int64_t durationMs = 0;
    std::optional<std::int64_t> outputTokens;
    std::optional<std::int64_t> costMicroUsd;

    bool operator==(const MirrorSide&) const = default;
};

/// The answer that a request got beside the one that a candidate gave to its copy: a row of
/// `mirror_comparison`.
struct MirrorComparison
{
    /// Of the request that was copied.
    std::string requestId;
    /// When that one was answered.
    UtcTime at{};
    /// The task policy that names the candidate.
    std::string taskType;
    MirrorSide served;
    MirrorSide candidate;

    bool operator==(const MirrorComparison&) const = default;
};

} // namespace weir
