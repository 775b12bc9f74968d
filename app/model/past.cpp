// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/past.h"

#include <array>

namespace weir::model {
namespace {

constexpr Ms kMinute = 60'000;
constexpr Ms kHour = 60 * kMinute;
constexpr Ms kDay = 24 * kHour;

struct Step
{
    Ms length;
    /// For how long the store keeps what it is made of, at least.
    Ms kept;
};

constexpr std::array<Step, 9> kSteps{{
    {10'000, 2 * kDay},
    {kMinute, 34 * kDay},
    {5 * kMinute, 34 * kDay},
    {10 * kMinute, 399 * kDay},
    {30 * kMinute, 399 * kDay},
    {kHour, 399 * kDay},
    {2 * kHour, 399 * kDay},
    {6 * kHour, 399 * kDay},
    {24 * kHour, 399 * kDay},
}};

Ms stepFor(Span span, UtcTime now, int points)
{
    for (const Step& step : kSteps) {
        const bool isKept = epochMs(now) - span.from <= step.kept;
        if (isKept && span.length() / step.length < points) return step.length;
    }
    return kSteps.back().length;
}

RouteSlice sliceOf(const store::HistoryPoint& point, const std::string& model)
{
    RouteSlice slice;
    slice.start = point.at;
    slice.model = model;
    slice.provider = point.provider;
    slice.attempts = point.sums.calls;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        if (isSuccess(outcome) || isNeutral(outcome)) continue;
        slice.failures += point.sums.outcomes[i];
    }
    slice.rateLimited = point.sums.outcomes[static_cast<std::size_t>(Outcome::RateLimited)];
    slice.costMicroUsd = point.sums.costMicroUsd;
    slice.ttftUs = point.ttftUs;
    return slice;
}

} // namespace

Result<Past>
readPast(store::Store& store, const std::string& model, Span span, UtcTime now, int points)
{
    Past past;
    past.step = stepFor(span, now, points);
    past.span = {span.from / past.step * past.step, span.to};
    const auto read = store.history(
        {model,
         fromEpochMs(past.span.from),
         fromEpochMs(past.span.to),
         std::chrono::seconds{past.step / 1000}});
    if (!read) return tl::unexpected(read.error());
    for (const store::HistoryPoint& point : *read)
        past.slices.push_back(sliceOf(point, model));
    return past;
}

History historyOf(const Past& past)
{
    History history;
    if (!past.slices.empty()) history.backfill(past.slices, past.span, past.step);
    return history;
}

} // namespace weir::model
