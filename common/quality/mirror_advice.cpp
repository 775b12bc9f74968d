// SPDX-License-Identifier: Apache-2.0
#include "common/quality/mirror_advice.h"

#include <algorithm>
#include <cmath>

namespace weir::quality {
namespace {

constexpr double kNormal = 1.959964;
/// More than that is no plan.
constexpr std::int64_t kNeededMax = 100'000;

/// One figure against what it may be: the candidate is no worse where `difference` is at least
/// `-margin`.
struct Figure
{
    const char* worse;
    const char* open;
    PairedDifference difference;
    double margin = 0;
};

/// The lower end of the 95 % interval of a share (Wilson, "Probable Inference", JASA 22, 1927).
double wilsonLow(std::int64_t hits, std::int64_t of)
{
    const auto n = static_cast<double>(of);
    const double share = static_cast<double>(hits) / n;
    const double z2 = kNormal * kNormal;
    const double centre = share + z2 / (2 * n);
    const double spread = kNormal * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    return (centre - spread) / (1 + z2 / n);
}

/// How many it takes until an interval of this width no longer holds the bound.
std::int64_t pairsNeeded(double sd, double distance)
{
    if (distance <= 0) return kNeededMax;
    const double needed = std::ceil(std::pow(kNormal * sd / distance, 2));
    return needed < static_cast<double>(kNeededMax) ? static_cast<std::int64_t>(needed)
                                                    : kNeededMax;
}

/// The same with the better side up.
PairedDifference negated(const PairedDifference& of)
{
    return {of.n, -of.mean, of.sd, -of.high, -of.low};
}

std::vector<Figure> figuresOf(const MirrorReport& report, const ParityRule& rule)
{
    std::vector<Figure> figures;
    if (report.score.difference) {
        figures.push_back(
            {"its score is lower",
             "the score's interval is still too wide",
             *report.score.difference,
             rule.scoreMargin});
    }
    if (report.schemaValid.difference) {
        figures.push_back(
            {"fewer of its answers keep their schema",
             "fewer of its answers keep their schema, which may be chance",
             *report.schemaValid.difference,
             rule.shareMargin});
    }
    if (report.refused.difference) {
        figures.push_back(
            {"it refuses more often",
             "it refuses more often, which may be chance",
             negated(*report.refused.difference),
             rule.shareMargin});
    }
    return figures;
}

const char*
whyWorse(const MirrorReport& report, const std::vector<Figure>& figures, const ParityRule& rule)
{
    const bool isEnough = report.copies >= rule.comparisonsMin;
    if (isEnough && wilsonLow(report.failures, report.copies) > rule.failuresMax) {
        return "too many of its calls fail";
    }
    for (const Figure& figure : figures) {
        const bool isShown = figure.difference.n >= rule.comparisonsMin;
        if (isShown && figure.difference.high < -figure.margin) return figure.worse;
    }
    return nullptr;
}

void keepComparing(MirrorReport& report, const char* reason, std::int64_t pairs)
{
    report.reason = reason;
    report.needed = std::max<std::int64_t>(pairs - report.score.n, 1);
}

} // namespace

std::string_view toWord(MirrorAdvice advice)
{
    switch (advice) {
    case MirrorAdvice::Promote:
        return "promote to the ladder";
    case MirrorAdvice::LeaveOut:
        return "leave it out";
    case MirrorAdvice::KeepComparing:
        break;
    }
    return "keep comparing";
}

void advise(MirrorReport& report, const ParityRule& rule)
{
    const std::vector<Figure> figures = figuresOf(report, rule);
    report.advice = MirrorAdvice::KeepComparing;
    report.needed.reset();
    if (const char* const worse = whyWorse(report, figures, rule)) {
        report.advice = MirrorAdvice::LeaveOut;
        report.reason = worse;
        return;
    }
    if (report.score.n == 0) {
        report.reason = "nothing was graded: name a grader in the task's mirror";
        return;
    }
    if (report.score.n < rule.comparisonsMin) {
        return keepComparing(report, "too few were graded", rule.comparisonsMin);
    }
    const double failed = static_cast<double>(report.failures) / static_cast<double>(report.copies);
    if (failed > rule.failuresMax) {
        const double sd = std::sqrt(failed * (1 - failed));
        return keepComparing(
            report,
            "many of its calls fail, which may be chance",
            pairsNeeded(sd, failed - rule.failuresMax));
    }
    for (const Figure& figure : figures) {
        const bool isScore = &figure == figures.data();
        const PairedDifference& difference = figure.difference;
        const bool isGood =
            isScore ? difference.low > -figure.margin : difference.mean >= -figure.margin;
        if (isGood) continue;
        return keepComparing(
            report,
            figure.open,
            pairsNeeded(difference.sd, std::abs(difference.mean + figure.margin)));
    }
    report.advice = MirrorAdvice::Promote;
    report.reason = "it is as good as what serves";
}

} // namespace weir::quality
