// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_fleet.h"

#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

#include <sys/random.h>

#include <array>

namespace weir::store {
namespace {

constexpr std::size_t kSecretBytes = 32;

Result<std::string> drawSecret()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::array<unsigned char, kSecretBytes> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<::ssize_t>(bytes.size())) {
        return fail("store", "fleet_secret", "the system gave no random bytes");
    }
    std::string secret;
    for (const unsigned char byte : bytes) {
        secret.push_back(kDigits[byte / 16U]);
        secret.push_back(kDigits[byte % 16U]);
    }
    return secret;
}

} // namespace

Status<> holdLease(SqlConnection& db, const Lease& lease)
{
    // An update, not a look: nobody takes it before this transaction has ended.
    static const std::array<std::string, 2> kHold = [] {
        const std::string start = "UPDATE job_lease SET token = token WHERE job = ? AND holder = ? "
                                  "AND token = ? AND until_ms > ";
        return std::array{
            start + std::string{clockMs(Dialect::Sqlite)},
            start + std::string{clockMs(Dialect::Postgres)}};
    }();
    Statement hold(db, kHold.at(static_cast<std::size_t>(db.dialect())));
    Status<> held = hold.bind(lease.job).bind(lease.holder).bind(lease.token).run();
    if (!held) return held;
    if (db.changes() == 1) return {};
    return fail(
        "fenced", "job_lease", "the lease of " + lease.job + " is not this agent's any more");
}

Status<> writeSecret(SqlConnection& db)
{
    const Result<std::string> secret = drawSecret();
    if (!secret) return tl::unexpected(secret.error());
    Statement insert(
        db, "INSERT INTO fleet_secret (id, secret) VALUES (1, ?) ON CONFLICT (id) DO NOTHING");
    return insert.bind(*secret).run();
}

Result<std::string> SqlStore::fleetSecret()
{
    Statement select(m_db, "SELECT secret FROM fleet_secret WHERE id = 1");
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return fail("secret_missing", "fleet_secret", "the row is gone");
    return select.text(0);
}

Result<std::optional<Lease>> SqlStore::takeLease(
    const std::string& job, const std::string& holder, std::chrono::milliseconds ttl)
{
    const std::string clock{clockMs(m_db.dialect())};
    Statement take(
        m_db,
        "INSERT INTO job_lease (job, holder, token, until_ms) VALUES (?, ?, 1, " + clock +
            " + ?) ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, "
            "token = job_lease.token + "
            "CASE WHEN job_lease.holder = excluded.holder THEN 0 ELSE 1 END, "
            "until_ms = excluded.until_ms "
            "WHERE job_lease.holder = excluded.holder OR job_lease.until_ms <= " +
            clock + " RETURNING token");
    const Result<bool> taken = take.bind(job).bind(holder).bind(std::int64_t{ttl.count()}).next();
    if (!taken) return tl::unexpected(taken.error());
    if (!*taken) return std::nullopt;
    const std::int64_t token = take.integer(0);
    // SQLite commits with the statement's last step.
    if (const Result<bool> ended = take.next(); !ended) return tl::unexpected(ended.error());
    return Lease{job, holder, token};
}

Status<> SqlStore::giveUpLease(const Lease& lease)
{
    Statement end(
        m_db, "UPDATE job_lease SET until_ms = 0 WHERE job = ? AND holder = ? AND token = ?");
    return end.bind(lease.job).bind(lease.holder).bind(lease.token).run();
}

Result<std::optional<Lease>> SqlStore::leaseHolder(const std::string& job)
{
    Statement select(
        m_db,
        "SELECT holder, token FROM job_lease WHERE job = ? AND until_ms > " +
            std::string{clockMs(m_db.dialect())});
    const Result<bool> found = select.bind(job).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return Lease{job, select.text(0), select.integer(1)};
}

Status<> SqlStore::saveReport(const std::string& name, const std::string& json, const Lease& lease)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    if (Status<> held = holdLease(m_db, lease); !held) return held;
    Statement upsert(
        m_db,
        "INSERT INTO fleet_report (name, at_ms, json) VALUES (?, " +
            std::string{clockMs(m_db.dialect())} +
            ", ?) ON CONFLICT (name) DO UPDATE SET at_ms = excluded.at_ms, json = excluded.json");
    if (Status<> saved = upsert.bind(name).bind(json).run(); !saved) return saved;
    return transaction->commit();
}

Result<std::optional<ReportRow>> SqlStore::report(const std::string& name)
{
    Statement select(m_db, "SELECT json, at_ms FROM fleet_report WHERE name = ?");
    const Result<bool> found = select.bind(name).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return ReportRow{select.text(0), select.integer(1)};
}

} // namespace weir::store
