// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/lease_store.h"
#include "common/base/time.h"

#include <chrono>
#include <optional>
#include <string>

namespace weir::run {

/// Who of the fleet does the work that one does for all: a lease in the store, by the store's
/// clock, that its holder renews. Whoever lost it may think for a moment that it has it still; what
/// it then writes the store refuses, since each holder's token is higher than the one's before.
/// Belongs to the thread of the store it is given.
class Election final
{
public:
    /// Longer than a pause of the holder that nobody should notice; shorter, with `kEvery`, than
    /// the 15 s in which another one takes over.
    static constexpr std::chrono::milliseconds kTtl{9000};
    static constexpr std::chrono::milliseconds kEvery{3000};

    /// `holder`: see `DataDir`.
    Election(store::LeaseStore& store, std::string holder);

    /// Renews the lease, or tries to get it, where that is due.
    void stand(Instant now);

    /// Where somebody else may have it, or the store does not answer: nothing.
    [[nodiscard]] const std::optional<store::Lease>& lease() const { return m_lease; }

    [[nodiscard]] Instant nextStand() const { return m_next; }

    /// Why the store would not say, the last time; "" where it did.
    [[nodiscard]] const std::string& trouble() const { return m_trouble; }

    /// So that the next one need not wait.
    void resign();

    /// A write was refused: it is not this agent's any more.
    void lost() { m_lease.reset(); }

private:
    store::LeaseStore& m_store;
    std::string m_holder;
    std::optional<store::Lease> m_lease;
    std::string m_trouble;
    Instant m_next{};
    /// As counted here, from before it was asked for.
    Instant m_until{};
};

} // namespace weir::run
