// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_wire.h"

#include "agent/net/clock.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <iterator>

namespace weir::store {
namespace {

int msUntil(Instant until)
{
    const Duration left = until - net::monotonicNow();
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::max<std::int64_t>(ms, 0));
}

bool isError(const pg_result* result)
{
    const ExecStatusType status = PQresultStatus(result);
    return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE ||
           status == PGRES_EMPTY_QUERY;
}

std::int64_t countIn(const char* text)
{
    std::int64_t count = 0;
    const std::string_view digits = text;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return count;
}

} // namespace

void PgClear::operator()(pg_result* result) const
{
    PQclear(result);
}

PgWire::PgWire(PgHandle connection, const PgTarget& target, int hangUp)
    : m_connection(std::move(connection))
    , m_target(target)
    , m_hangUp(hangUp)
    , m_deadline(target.deadline)
{
    PQsetnonblocking(raw(), 1);
    // libpq would print what the server remarks.
    PQsetNoticeReceiver(
        raw(), [](void*, const pg_result*) {}, nullptr);
}

void PgWire::restart()
{
    m_until = net::monotonicNow() + m_deadline;
}

tl::unexpected<Error> PgWire::lost()
{
    m_isAlive = false;
    Error error = errorOf(raw(), m_target.place);
    error.code = "unreachable";
    return tl::unexpected(std::move(error));
}

Status<> PgWire::await(short events)
{
    std::array<pollfd, 2> sources{{{PQsocket(raw()), events, 0}, {m_hangUp, POLLIN, 0}}};
    for (;;) {
        const int ready = ::poll(sources.data(), sources.size(), msUntil(m_until));
        if (ready > 0 && sources[0].revents != 0) return {};
        if (ready < 0 && errno == EINTR) continue;
        m_isAlive = false;
        if (ready > 0) return fail("unreachable", m_target.place, "nobody waits for it any more");
        return fail(
            "unreachable",
            m_target.place,
            "unreachable: no answer within " + std::to_string(m_deadline.count()) + " ms");
    }
}

Status<> PgWire::drain()
{
    for (;;) {
        const int left = PQflush(raw());
        if (left == 0) return {};
        if (left < 0) return lost();
        // A server that cannot send does not take either: what it says must be read.
        if (Status<> ready = await(POLLIN | POLLOUT); !ready) return ready;
        if (PQconsumeInput(raw()) == 0) return lost();
    }
}

Status<> PgWire::flush(int sent)
{
    if (sent == 0) return lost();
    restart();
    return drain();
}

Result<PgResult> PgWire::next()
{
    while (PQisBusy(raw()) != 0) {
        if (const Status<> ready = await(POLLIN); !ready) return tl::unexpected(ready.error());
        if (PQconsumeInput(raw()) == 0) return lost();
    }
    PgResult result(PQgetResult(raw()));
    if (PQstatus(raw()) == CONNECTION_BAD) m_isAlive = false;
    return result;
}

Result<PgResult> PgWire::finish(ErrorOf errorOf)
{
    PgResult last;
    for (;;) {
        Result<PgResult> result = next();
        if (!result) return result;
        if (!*result) break;
        if (!last || !isError(last.get())) last = std::move(*result);
        // One that waits for rows, or sends them, would never end.
        const ExecStatusType status = PQresultStatus(last.get());
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) break;
    }
    if (!last) return lost();
    if (!isError(last.get())) return last;
    Error error = errorOf(last.get(), m_target.place);
    if (!m_isAlive) error.code = "unreachable";
    return tl::unexpected(std::move(error));
}

Result<PgResult> PgWire::run(const std::string& sql)
{
    const Status<> sent = flush(PQsendQuery(raw(), sql.c_str()));
    if (!sent) return tl::unexpected(sent.error());
    return finish();
}

Status<> PgWire::put(std::string_view piece)
{
    for (;;) {
        const int taken = PQputCopyData(raw(), piece.data(), static_cast<int>(std::ssize(piece)));
        if (taken < 0) return lost();
        restart();
        if (Status<> sent = drain(); !sent) return sent;
        if (taken > 0) return {};
    }
}

Status<> PgWire::endCopy()
{
    for (;;) {
        const int ended = PQputCopyEnd(raw(), nullptr);
        if (ended != 0) return flush(ended > 0 ? 1 : 0);
        if (Status<> sent = drain(); !sent) return sent;
    }
}

Result<std::int64_t> PgWire::copyIn(
    const std::string& sql, const NextPiece& nextPiece, const std::function<void()>& meanwhile)
{
    const Result<PgResult> ready = run(sql);
    if (!ready) return tl::unexpected(ready.error());
    for (std::string_view piece = nextPiece(); !piece.empty(); piece = nextPiece()) {
        if (const Status<> sent = put(piece); !sent) return tl::unexpected(sent.error());
    }
    if (const Status<> ended = endCopy(); !ended) return tl::unexpected(ended.error());
    if (meanwhile) meanwhile();
    const Result<PgResult> done = finish(&copyErrorOf);
    if (!done) return tl::unexpected(done.error());
    return countIn(PQcmdTuples(done->get()));
}

bool PgWire::takeNotifications() const
{
    bool any = false;
    while (PGnotify* const notification = PQnotifies(raw())) {
        PQfreemem(notification);
        any = true;
    }
    return any;
}

Result<bool> PgWire::awaitNotification(std::chrono::milliseconds atMost, int wake)
{
    const Instant until = net::monotonicNow() + atMost;
    for (;;) {
        if (takeNotifications()) return true;
        std::array<pollfd, 3> sources{
            {{PQsocket(raw()), POLLIN, 0}, {wake, POLLIN, 0}, {m_hangUp, POLLIN, 0}}};
        const int ready = ::poll(sources.data(), sources.size(), msUntil(until));
        if (ready == 0 || sources[1].revents != 0 || sources[2].revents != 0) return false;
        if (ready < 0) continue;
        if (PQconsumeInput(raw()) == 0) return lost();
        // The end of the connection is something to read, too.
        if (PQstatus(raw()) == CONNECTION_BAD) return lost();
    }
}

} // namespace weir::store
