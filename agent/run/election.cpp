// SPDX-License-Identifier: Apache-2.0
#include "agent/run/election.h"

#include <spdlog/spdlog.h>

namespace weir::run {
namespace {

constexpr const char* kJob = "summary";

} // namespace

Election::Election(store::LeaseStore& store, std::string holder)
    : m_store(store)
    , m_holder(std::move(holder))
{
}

void Election::stand(Instant now)
{
    if (m_lease && now >= m_until) m_lease.reset();
    if (now < m_next) return;
    m_next = now + kEvery;
    const bool had = m_lease.has_value();
    Result<std::optional<store::Lease>> taken = m_store.takeLease(kJob, m_holder, kTtl);
    m_trouble = taken ? std::string{} : taken.error().text();
    // Where the store does not answer the lease runs on; whoever looks finds it over in time.
    if (!taken) return;
    m_lease = std::move(*taken);
    m_until = now + kTtl;
    if (had != m_lease.has_value()) {
        spdlog::info(
            "event={} job={} token={}",
            m_lease ? "elected" : "not_elected_any_more",
            kJob,
            m_lease ? m_lease->token : 0);
    }
}

void Election::resign()
{
    if (!m_lease) return;
    // One that cannot be given up runs out by itself.
    static_cast<void>(m_store.giveUpLease(*m_lease));
    m_lease.reset();
}

} // namespace weir::run
