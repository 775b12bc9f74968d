// SPDX-License-Identifier: Apache-2.0
#include "common/quality/mirror_report.h"

#include "common/quality/mirror_advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace weir::quality {
namespace {

/// Shorter answers say nothing of a rate (routing.md section 1).
constexpr std::int64_t kSpeedTokensMin = 16;

/// t(0.975) for 1 to 30 degrees of freedom.
constexpr std::array<double, 30> kStudent{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                          2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                          2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                          2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

/// Beyond the table by the expansion in 1/n (Abramowitz and Stegun, 26.7.5).
double student(std::int64_t freedom)
{
    if (freedom <= static_cast<std::int64_t>(kStudent.size())) {
        return kStudent.at(static_cast<std::size_t>(freedom - 1));
    }
    constexpr double kNormal = 1.959964;
    constexpr double kCube = kNormal * kNormal * kNormal;
    constexpr double kFifth = kCube * kNormal * kNormal;
    const auto n = static_cast<double>(freedom);
    return kNormal + (kCube + kNormal) / (4 * n) +
           (5 * kFifth + 16 * kCube + 3 * kNormal) / (96 * n * n);
}

/// Pairs of numbers, to be compared.
struct Pairs
{
    double served = 0;
    double candidate = 0;
    std::vector<double> differences;

    void add(double first, double second)
    {
        served += first;
        candidate += second;
        differences.push_back(second - first);
    }

    [[nodiscard]] SharePair share() const
    {
        SharePair pair;
        pair.n = static_cast<std::int64_t>(differences.size());
        if (pair.n == 0) return pair;
        pair.served = served / static_cast<double>(pair.n);
        pair.candidate = candidate / static_cast<double>(pair.n);
        pair.difference = pairedDifference(differences);
        return pair;
    }

    [[nodiscard]] std::optional<double> ratio() const
    {
        if (served <= 0) return std::nullopt;
        return candidate / served;
    }
};

/// All that is added up for one report.
struct Sums
{
    MirrorReport report;
    Pairs score;
    Pairs valid;
    Pairs refused;
    Pairs cost;
    Pairs ttft;
    Pairs secondsPerToken;
};

std::optional<double> secondsPerToken(const MirrorSide& side)
{
    if (!side.ttftMs || !side.outputTokens) return std::nullopt;
    const std::int64_t took = side.durationMs - *side.ttftMs;
    if (*side.outputTokens < kSpeedTokensMin || took <= 0) return std::nullopt;
    return static_cast<double>(took) / 1e3 / static_cast<double>(*side.outputTokens);
}

template <class Value>
void addKnown(Pairs& pairs, const std::optional<Value>& served, const std::optional<Value>& other)
{
    if (served && other) pairs.add(static_cast<double>(*served), static_cast<double>(*other));
}

void add(Sums& sums, const MirrorComparison& comparison)
{
    const MirrorSide& served = comparison.served;
    const MirrorSide& candidate = comparison.candidate;
    ++sums.report.copies;
    sums.report.served.insert(served.model);
    const bool isAnswered = isSuccess(candidate.outcome) || candidate.outcome == Outcome::Refused;
    if (!isAnswered) {
        ++sums.report.failures;
        return;
    }
    if (served.scorePpm && candidate.scorePpm) {
        sums.score.add(
            static_cast<double>(*served.scorePpm) / 1e6,
            static_cast<double>(*candidate.scorePpm) / 1e6);
    }
    addKnown(sums.valid, served.schemaValid, candidate.schemaValid);
    sums.refused.add(served.refused ? 1 : 0, candidate.refused ? 1 : 0);
    addKnown(sums.cost, served.costMicroUsd, candidate.costMicroUsd);
    addKnown(sums.ttft, served.ttftMs, candidate.ttftMs);
    addKnown(sums.secondsPerToken, secondsPerToken(served), secondsPerToken(candidate));
}

MirrorReport finished(Sums sums, const ParityRule& rule)
{
    MirrorReport& report = sums.report;
    report.score = sums.score.share();
    report.schemaValid = sums.valid.share();
    report.refused = sums.refused.share();
    report.costRatio = sums.cost.ratio();
    report.ttftRatio = sums.ttft.ratio();
    if (const auto slower = sums.secondsPerToken.ratio()) report.speedRatio = 1 / *slower;
    advise(report, rule);
    return std::move(report);
}

} // namespace

std::optional<PairedDifference> pairedDifference(std::span<const double> differences)
{
    if (differences.size() < 2) return std::nullopt;
    PairedDifference result;
    result.n = static_cast<std::int64_t>(differences.size());
    const auto n = static_cast<double>(result.n);
    double sum = 0;
    for (const double each : differences)
        sum += each;
    result.mean = sum / n;
    double squares = 0;
    for (const double each : differences)
        squares += (each - result.mean) * (each - result.mean);
    result.sd = std::sqrt(squares / (n - 1));
    const double half = student(result.n - 1) * result.sd / std::sqrt(n);
    result.low = result.mean - half;
    result.high = result.mean + half;
    return result;
}

std::vector<MirrorReport>
mirrorReports(std::span<const MirrorComparison> comparisons, const ParityRule& rule)
{
    std::map<std::pair<std::string, std::string>, Sums> all;
    for (const MirrorComparison& comparison : comparisons) {
        Sums& sums = all[{comparison.taskType, comparison.candidate.model}];
        sums.report.taskType = comparison.taskType;
        sums.report.candidate = comparison.candidate.model;
        add(sums, comparison);
    }
    std::vector<MirrorReport> reports;
    reports.reserve(all.size());
    for (auto& [key, sums] : all)
        reports.push_back(finished(std::move(sums), rule));
    return reports;
}

} // namespace weir::quality
