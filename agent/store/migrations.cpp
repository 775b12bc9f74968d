// SPDX-License-Identifier: Apache-2.0
#include "agent/store/migrations.h"

#include "agent/store/sql_transaction.h"

namespace weir::store {
namespace {

/// Two agents that start at a time: the second waits and finds nothing to do. Not the table's lock,
/// since there may be none yet.
constexpr const char* kPostgresLock = "SELECT pg_advisory_xact_lock(hashtext('weir.migrate'))";

std::string_view countVersionTables(Dialect dialect)
{
    if (dialect == Dialect::Postgres) {
        return "SELECT count(*) FROM pg_class WHERE oid = to_regclass('schema_version')";
    }
    return "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'";
}

const char* makeVersionTable(Dialect dialect)
{
    if (dialect == Dialect::Postgres) {
        return "CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL PRIMARY KEY, "
               "name text NOT NULL, applied_at timestamptz(3) NOT NULL, "
               "applied_at_ms bigint NOT NULL)";
    }
    return "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY, "
           "name TEXT NOT NULL, applied_at TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT";
}

Error newer(std::int64_t found, std::size_t known)
{
    return {
        "store_newer",
        "schema_version",
        "the database has schema " + std::to_string(found) + ", this program knows " +
            std::to_string(known) + ": it was written by a newer Weir, so start that one"};
}

} // namespace

Result<std::int64_t> schemaVersion(SqlConnection& db)
{
    Statement tables(db, countVersionTables(db.dialect()));
    const Result<bool> counted = tables.next();
    if (!counted) return tl::unexpected(counted.error());
    if (tables.integer(0) == 0) return 0;
    Statement newest(db, "SELECT coalesce(max(version), 0) FROM schema_version");
    const Result<bool> found = newest.next();
    if (!found) return tl::unexpected(found.error());
    return newest.integer(0);
}

Status<> migrate(
    SqlConnection& db, std::span<const Migration> migrations, UtcTime now, const WriteRows& rows)
{
    // The usual start needs no lock.
    if (checkSchema(db, migrations)) return {};
    Result<Transaction> transaction = Transaction::begin(db);
    if (!transaction) return tl::unexpected(transaction.error());
    if (db.dialect() == Dialect::Postgres) {
        if (Status<> locked = db.script(kPostgresLock); !locked) return locked;
    }
    // Asked inside the transaction: two agents may start on one file at a time.
    const Result<std::int64_t> found = schemaVersion(db);
    if (!found) return tl::unexpected(found.error());
    const auto known = static_cast<std::int64_t>(migrations.size());
    if (*found > known) return tl::unexpected(newer(*found, migrations.size()));
    if (*found == known) return {};
    if (Status<> made = db.script(makeVersionTable(db.dialect())); !made) return made;
    for (std::int64_t number = *found + 1; number <= known; ++number) {
        const Migration& migration = migrations[static_cast<std::size_t>(number - 1)];
        if (Status<> applied = db.script(std::string{migration.sql}); !applied) {
            applied.error().where += ", migration " + std::string{migration.name};
            return applied;
        }
        const std::string at = toIso(now);
        Statement note(db, "INSERT INTO schema_version VALUES (?, ?, ?, ?)");
        note.bind(number).bind(migration.name).bind(at).bind(epochMs(now));
        if (Status<> noted = note.run(); !noted) return noted;
    }
    if (Status<> written = rows(db, *found); !written) return written;
    return transaction->commit();
}

Status<> checkSchema(SqlConnection& db, std::span<const Migration> migrations)
{
    const Result<std::int64_t> found = schemaVersion(db);
    if (!found) return tl::unexpected(found.error());
    const auto known = static_cast<std::int64_t>(migrations.size());
    if (*found > known) return tl::unexpected(newer(*found, migrations.size()));
    if (*found < known) {
        return fail(
            "store_older",
            "schema_version",
            "the database has schema " + std::to_string(*found) + ", this program needs " +
                std::to_string(known) + ": start the agent of this version once");
    }
    return {};
}

} // namespace weir::store
