// SPDX-License-Identifier: Apache-2.0
#include "common/routing/quota_buckets.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::int64_t kMinuteMs = 60'000;
/// Requests of a second, tokens of a tenth of the minute that they are counted by.
constexpr std::int64_t kRequestsDeepS = 1;
constexpr std::int64_t kTokensDeepS = 6;
constexpr std::int64_t kRequestDebtS = 5;
constexpr std::int64_t kTokenDebtS = 60;
/// No request has more: a count beyond it is an error of its sender.
constexpr std::int64_t kTokensMax = 1'000'000'000;

/// Parts of a bucket that stay for those who may reach further, in quarters.
std::int64_t quartersKept(Reach reach)
{
    switch (reach) {
    case Reach::Least:
        return 3;
    case Reach::Half:
        return 2;
    case Reach::Most:
        return 1;
    case Reach::All:
        break;
    }
    return 0;
}

} // namespace

std::int64_t QuotaBuckets::Bucket::levelAt(std::int64_t nowMs) const
{
    const std::int64_t elapsed = std::clamp<std::int64_t>(nowMs - atMs, 0, 2 * kMinuteMs);
    return std::min(depth, level + mulDiv(rate, elapsed, 1000));
}

std::int64_t QuotaBuckets::Bucket::lackAt(Reach reach, std::int64_t nowMs) const
{
    if (rate <= 0) return 0;
    const std::int64_t needed = least + depth / 4 * quartersKept(reach);
    return std::max<std::int64_t>(std::min(needed, depth) - levelAt(nowMs), 0);
}

std::int64_t QuotaBuckets::Bucket::opensInMs(Reach reach, std::int64_t nowMs) const
{
    const std::int64_t lack = lackAt(reach, nowMs);
    return lack == 0 ? 0 : mulDiv(lack, 1000, rate) + 1;
}

void QuotaBuckets::Bucket::take(std::int64_t amount, std::int64_t nowMs)
{
    level = std::clamp(levelAt(nowMs) - amount, -debtMax, depth);
    atMs = std::max(atMs, nowMs);
}

QuotaBuckets::QuotaBuckets(const Quota& quota, std::int64_t nowMs)
{
    setQuota(quota, nowMs);
}

void QuotaBuckets::setQuota(const Quota& quota, std::int64_t nowMs)
{
    const bool newRequests = m_quota.milliRps == 0;
    const bool newTokens = m_quota.tokensPerMinute == 0;
    m_quota = quota;
    resize(nowMs);
    if (newRequests) m_requests.level = m_requests.depth;
    if (newTokens) m_tokens.level = m_tokens.depth;
}

void QuotaBuckets::setShare(std::int64_t sharePpm, std::int64_t nowMs)
{
    const std::int64_t share = std::clamp<std::int64_t>(sharePpm, 0, kMicro);
    if (share == m_sharePpm) return;
    m_sharePpm = share;
    resize(nowMs);
}

void QuotaBuckets::resize(std::int64_t nowMs)
{
    const auto set = [this, nowMs](Bucket& bucket, std::int64_t rate, std::int64_t least) {
        const bool isRequests = least == kMicro;
        // With room for one, a part of the fleet's quota would go to waste between two requests.
        const std::int64_t shallow = m_sharePpm < kMicro && isRequests ? 3 * least : least;
        bucket.level = bucket.levelAt(nowMs);
        bucket.atMs = std::max(bucket.atMs, nowMs);
        bucket.rate = rate;
        bucket.least = least;
        bucket.depth = std::max(shallow, rate * (isRequests ? kRequestsDeepS : kTokensDeepS));
        bucket.debtMax = std::max(least, rate * (isRequests ? kRequestDebtS : kTokenDebtS));
        bucket.level = std::clamp(bucket.level, -bucket.debtMax, bucket.depth);
    };
    // A part of next to nothing is still a part: 0 would mean that there is no limit.
    const auto part = [this](std::int64_t whole) {
        return whole <= 0 ? 0 : std::max<std::int64_t>(mulDiv(whole, m_sharePpm, kMicro), 1);
    };
    set(m_requests, part(m_quota.milliRps * 1000), kMicro);
    set(m_tokens, part(m_quota.tokensPerMinute * kMicro / 60), 1);
}

bool QuotaBuckets::isOpen(Reach reach, std::int64_t nowMs) const
{
    return m_requests.lackAt(reach, nowMs) == 0 && m_tokens.lackAt(reach, nowMs) == 0;
}

std::int64_t QuotaBuckets::opensInMs(Reach reach, std::int64_t nowMs) const
{
    return std::max(m_requests.opensInMs(reach, nowMs), m_tokens.opensInMs(reach, nowMs));
}

void QuotaBuckets::take(std::int64_t tokens, std::int64_t nowMs)
{
    if (m_requests.rate > 0) m_requests.take(kMicro, nowMs);
    correct(std::max<std::int64_t>(tokens, 0), nowMs);
}

void QuotaBuckets::correct(std::int64_t tokens, std::int64_t nowMs)
{
    if (m_tokens.rate <= 0) return;
    m_tokens.take(std::clamp(tokens, -kTokensMax, kTokensMax) * kMicro, nowMs);
}

} // namespace weir::routing
