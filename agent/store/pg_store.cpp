// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_store.h"

#include "agent/store/first_rows.h"
#include "agent/store/migrations.h"
#include "agent/store/pg.h"
#include "agent/store/pg_sink.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace weir::store {
namespace {

/// A large table may be changed in it.
constexpr std::chrono::seconds kMigrationDeadline{60};

Result<UtcTime> databaseTime(SqlConnection& db)
{
    Statement select(db, "SELECT " + std::string{clockMs(db.dialect())});
    const Result<bool> found = select.next();
    if (!found) return tl::unexpected(found.error());
    return fromEpochMs(select.integer(0));
}

Status<> upgrade(PgConnection& db, const std::string& host)
{
    const Result<UtcTime> now = databaseTime(db);
    if (!now) return tl::unexpected(now.error());
    db.setDeadline(std::max<std::chrono::milliseconds>(kMigrationDeadline, db.target().deadline));
    Status<> done = migrate(db, postgresMigrations(), *now, rowsWriter(host, *now));
    db.setDeadline(db.target().deadline);
    return done;
}

/// Whoever may change the schema may not always make roles; the server's warning is not shown.
void tellOfRoles(PgConnection& db)
{
    Statement ask(db, "SELECT weir_roles_trouble()");
    const Result<bool> asked = ask.next();
    if (!asked || ask.text(0).empty()) return;
    spdlog::warn(
        "event=store_roles detail=\"{}\" fix=\"as who may create roles: weirctl store migrate\"",
        ask.text(0));
}

/// What a new connection begins with.
Status<> ensureSchema(PgConnection& db, const PgOptions& options)
{
    Status<> ready = checkSchema(db, postgresMigrations());
    if (!ready && ready.error().code == "store_older") {
        const Error older = ready.error();
        if (options.mode == OpenMode::CreateOrUpgrade) {
            ready = upgrade(db, options.host);
            if (ready) tellOfRoles(db);
        }
        // A role that may not change the schema is no fault: its owner does it then.
        if (!ready && (ready.error().code == "forbidden" || ready.error().code == "store_older")) {
            ready = tl::unexpected(older);
            ready.error().detail += ", or as the schema's owner: weirctl store migrate --store URL";
        }
    }
    if (!ready && ready.error().where == "schema_version") ready.error().where = db.target().place;
    return ready;
}

Result<std::unique_ptr<PgConnection>>
connectionFor(const PgOptions& options, PgConnection::OnConnect onConnect)
{
    Result<PgTarget> target = pgTarget(options.url, options.application, options.deadline);
    if (!target) return tl::unexpected(target.error());
    target->connecting = options.connecting;
    return std::make_unique<PgConnection>(std::move(*target), std::move(onConnect));
}

} // namespace

Result<std::unique_ptr<Database>> openPostgres(const PgOptions& options)
{
    Result<std::unique_ptr<PgConnection>> connection =
        connectionFor(options, [options](PgConnection& db) { return ensureSchema(db, options); });
    if (!connection) return tl::unexpected(connection.error());
    auto sink = std::make_unique<PgSink>(**connection);
    return std::make_unique<SqlStore>(std::move(*connection), std::move(sink));
}

Result<Upgraded> upgradePostgres(const PgOptions& options)
{
    const auto nothing = [](PgConnection&) -> Status<> { return {}; };
    const Result<std::unique_ptr<PgConnection>> connection = connectionFor(options, nothing);
    if (!connection) return tl::unexpected(connection.error());
    PgConnection& db = **connection;
    const Result<std::int64_t> from = schemaVersion(db);
    if (!from) return tl::unexpected(from.error());
    if (const Status<> done = upgrade(db, options.host); !done) return tl::unexpected(done.error());
    const Result<UtcTime> now = databaseTime(db);
    if (!now) return tl::unexpected(now.error());
    const Result<std::int64_t> putBack = writeMissingRows(db, options.host, *now);
    if (!putBack) return tl::unexpected(putBack.error());
    Statement ask(db, "SELECT weir_grant_roles()");
    const Result<bool> asked = ask.next();
    if (!asked) return tl::unexpected(asked.error());
    return Upgraded{*from, std::ssize(postgresMigrations()), *putBack, ask.text(0)};
}

} // namespace weir::store
