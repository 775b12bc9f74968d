// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/pg_dial.h"
#include "agent/store/pg_error.h"
#include "common/base/time.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

struct pg_result;

namespace weir::store {

struct PgClear
{
    void operator()(pg_result* result) const;
};

using PgResult = std::unique_ptr<pg_result, PgClear>;

/// A connection to Postgres that never waits longer than it may. One that broke, or did not answer
/// in time, is dead for good: what a late answer would belong to is not known.
class PgWire final
{
public:
    /// Once `hangUp` can be read from, no wait lasts.
    PgWire(PgHandle connection, const PgTarget& target, int hangUp);

    [[nodiscard]] pg_conn* raw() const { return m_connection.get(); }

    [[nodiscard]] bool isAlive() const { return m_isAlive; }

    void setDeadline(std::chrono::milliseconds deadline) { m_deadline = deadline; }

    /// Statements without values, in one transaction of their own unless one is open; the last
    /// one's result.
    [[nodiscard]] Result<PgResult> run(const std::string& sql);

    /// Writes out what a PQsend… call, which returned `sent`, has begun; the time for the answer
    /// starts.
    [[nodiscard]] Status<> flush(int sent);
    /// The next result; null behind the last one. An error that the server sent is a result.
    [[nodiscard]] Result<PgResult> next();
    using ErrorOf = Error (*)(const pg_result*, const std::string& place);
    /// All results up to the last: that one, or the first error.
    [[nodiscard]] Result<PgResult> finish(ErrorOf errorOf = &store::errorOf);
    /// Starts the time for the next answer.
    void restart();

    /// The next piece of what is copied; empty behind the last one.
    using NextPiece = std::function<std::string_view()>;

    /// COPY … FROM STDIN, all of it: how many rows went in. The server works on each piece while
    /// the next one is made, and on the last ones during `meanwhile`, which may be none. Errors:
    /// see `copyErrorOf`.
    [[nodiscard]] Result<std::int64_t> copyIn(
        const std::string& sql,
        const NextPiece& nextPiece,
        const std::function<void()>& meanwhile = {});

    /// True where a notification is there, after looking for at most so long or until `wake` can be
    /// read from.
    [[nodiscard]] Result<bool> awaitNotification(std::chrono::milliseconds atMost, int wake);

private:
    [[nodiscard]] Status<> await(short events);
    [[nodiscard]] Status<> drain();
    [[nodiscard]] Status<> put(std::string_view piece);
    [[nodiscard]] Status<> endCopy();
    [[nodiscard]] bool takeNotifications() const;
    tl::unexpected<Error> lost();

    PgHandle m_connection;
    const PgTarget& m_target;
    int m_hangUp;
    std::chrono::milliseconds m_deadline;
    Instant m_until{};
    bool m_isAlive = true;
};

} // namespace weir::store
