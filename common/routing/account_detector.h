// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_signal.h"

#include <cstdint>

namespace weir::routing {

/// One minute of one provider's account, over all its routes.
struct AccountTally
{
    std::int64_t successes = 0;
    std::int64_t credit = 0;
    std::int64_t auth = 0;
    bool creditHold = false;
    bool authHold = false;
};

/// Credit and keys (routing.md section 11): both concern an account, not a route. Severity: calls
/// turned away in the minute.
class AccountDetector final
{
public:
    /// credit_exhausted: the account is held; closes when a call succeeds and nothing is held or
    /// refused any more, or after 10 minutes without either.
    [[nodiscard]] IncidentSignal judgeCredit(const AccountTally& minute, bool isOpen);

    /// auth: 2 refusals within 60 s, which minutes show as 2 within a minute and the one before it;
    /// closes like credit.
    [[nodiscard]] IncidentSignal judgeAuth(const AccountTally& minute, bool isOpen);

private:
    std::int64_t m_creditCalm = 0;
    std::int64_t m_authCalm = 0;
    std::int64_t m_authBefore = 0;
};

} // namespace weir::routing
