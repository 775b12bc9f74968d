// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/mirror_comparison.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::quality {

/// When a candidate is as good as what serves (seed document 003, "at parity").
struct ParityRule
{
    /// With fewer of them nothing is shown either way.
    std::int64_t comparisonsMin = 30;
    /// By so much the candidate's score may be lower, of 1.
    double scoreMargin = 0.05;
    /// By so much fewer of its answers may keep their schema, and by so much more may be refusals.
    double shareMargin = 0.02;
    /// Of its copies, so many may fail.
    double failuresMax = 0.05;
};

/// The mean of what pairs differ by, candidate less served, with the 95 % confidence interval of
/// the paired t test: mean ± t(0.975, n-1) · sd / √n (Student, "The Probable Error of a Mean",
/// Biometrika 6, 1908; NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.2). Scores and shares
/// are not normal, so it is an approximation, which is why a rule asks for 30 pairs.
struct PairedDifference
{
    std::int64_t n = 0;
    double mean = 0;
    double sd = 0;
    double low = 0;
    double high = 0;
};

/// Nothing where there are fewer than two.
[[nodiscard]] std::optional<PairedDifference> pairedDifference(std::span<const double> differences);

enum class MirrorAdvice : std::uint8_t { Promote, KeepComparing, LeaveOut };

/// "promote to the ladder", "keep comparing", "leave it out".
[[nodiscard]] std::string_view toWord(MirrorAdvice advice);

/// A share of answers on both sides.
struct SharePair
{
    std::int64_t n = 0;
    double served = 0;
    double candidate = 0;
    std::optional<PairedDifference> difference;
};

/// What the comparisons of one task policy say of one candidate.
struct MirrorReport
{
    std::string taskType;
    std::string candidate;
    /// The models that gave the answers it was compared with.
    std::set<std::string> served;
    std::int64_t copies = 0;
    std::int64_t failures = 0;
    /// Means of the grades, of 1; `n` pairs have two.
    SharePair score;
    /// Of the pairs that were to keep a schema and could: those that did.
    SharePair schemaValid;
    /// Of all pairs: refused by the protocol's own word.
    SharePair refused;
    /// The candidate's over the served one's, where both are known.
    std::optional<double> costRatio;
    std::optional<double> ttftRatio;
    /// Tokens a second after the first output, of answers of 16 tokens and more.
    std::optional<double> speedRatio;
    MirrorAdvice advice = MirrorAdvice::KeepComparing;
    /// What decided it, or what is still open; a sentence without its full stop.
    std::string reason;
    /// So many more comparisons may settle it, for `KeepComparing`; nothing where more of the same
    /// would not.
    std::optional<std::int64_t> needed;
};

/// One report a task policy and candidate, in their order. The advice is checked against every
/// comparison at once, and looked at again and again it errs more often than once in forty: it is
/// for a person to act on.
[[nodiscard]] std::vector<MirrorReport>
mirrorReports(std::span<const MirrorComparison> comparisons, const ParityRule& rule);

} // namespace weir::quality
