// SPDX-License-Identifier: Apache-2.0
#include "common/routing/account_detector.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kAuthCount = 2;
constexpr std::int64_t kSilentMinutes = 10;

IncidentSignal closed(std::int64_t calmMinutes, bool succeeded)
{
    IncidentSignal signal;
    if (!succeeded && calmMinutes < kSilentMinutes) return signal;
    signal.turn = Turn::Close;
    signal.minutesAgo = calmMinutes - 1;
    signal.detail = succeeded ? "a call succeeded" : "nothing refused for 10 min";
    return signal;
}

} // namespace

IncidentSignal AccountDetector::judgeCredit(const AccountTally& minute, bool isOpen)
{
    const bool bad = minute.creditHold || minute.credit > 0;
    m_creditCalm = bad ? 0 : m_creditCalm + 1;
    if (isOpen && !bad) return closed(m_creditCalm, minute.successes > 0);
    IncidentSignal signal;
    signal.severity = minute.credit;
    if (!isOpen && minute.creditHold) {
        signal.turn = Turn::Open;
        signal.detail =
            "account held, " + std::to_string(minute.credit) + " calls refused for lack of credit";
    }
    return signal;
}

IncidentSignal AccountDetector::judgeAuth(const AccountTally& minute, bool isOpen)
{
    const bool bad = minute.authHold || minute.auth > 0;
    const std::int64_t before = m_authBefore;
    m_authBefore = minute.auth;
    m_authCalm = bad ? 0 : m_authCalm + 1;
    if (isOpen && !bad) return closed(m_authCalm, minute.successes > 0);
    IncidentSignal signal;
    signal.severity = minute.auth;
    if (!isOpen && minute.auth + before >= kAuthCount) {
        signal.turn = Turn::Open;
        signal.minutesAgo = before > 0 ? 1 : 0;
        signal.detail = std::to_string(minute.auth + before) + " calls refused by the key";
    }
    return signal;
}

} // namespace weir::routing
