// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_sink.h"

#include "agent/store/ledger_cells.h"
#include "agent/store/pg_arrays.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>

namespace weir::store {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
/// The year 9999: behind it the ledger has no days.
constexpr std::int64_t kLastMs = 253'402'300'799'999;

constexpr std::size_t kPieceBytes = 1U << 16U;

/// COPY's text form: cells between tabs, rows on lines.
class CopyText final
{
public:
    CopyText& bind(std::string_view text)
    {
        begin();
        // Nearly all texts go in in one piece.
        for (auto odd = std::ranges::find_if(text, isOdd); odd != text.end();
             odd = std::ranges::find_if(text, isOdd)) {
            m_text.append(text.begin(), odd).append(escaped(*odd));
            text.remove_prefix(static_cast<std::size_t>(odd - text.begin()) + 1);
        }
        m_text.append(text);
        return *this;
    }

    CopyText& bind(std::int64_t value)
    {
        begin();
        std::array<char, 24> digits{};
        char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        m_text.append(digits.data(), end);
        return *this;
    }

    CopyText& bind(std::optional<std::int64_t> value)
    {
        if (value) return bind(*value);
        begin();
        m_text += "\\N";
        return *this;
    }

    void endRow()
    {
        m_text.push_back('\n');
        m_isRowBegun = false;
    }

    void clear() { m_text.clear(); }

    [[nodiscard]] std::size_t size() const { return m_text.size(); }

    [[nodiscard]] std::string_view text() const { return m_text; }

private:
    static bool isOdd(char c) { return c == '\\' || c == '\t' || c == '\n' || c == '\r'; }

    static std::string_view escaped(char c)
    {
        switch (c) {
        case '\t':
            return "\\t";
        case '\n':
            return "\\n";
        case '\r':
            return "\\r";
        default:
            return "\\\\";
        }
    }

    void begin()
    {
        if (m_isRowBegun) m_text.push_back('\t');
        m_isRowBegun = true;
    }

    std::string m_text;
    bool m_isRowBegun = false;
};

std::string copySql(std::string_view table, std::string_view columns)
{
    return std::string{"SAVEPOINT part; COPY "}.append(table).append(" (").append(columns).append(
        ") FROM STDIN");
}

constexpr std::string_view kKnownAttempts =
    "SELECT k.n FROM unnest(?::text[], ?::bigint[], ?::bigint[]) WITH ORDINALITY "
    "AS k(request_id, attempt, started_at_ms, n) "
    "JOIN call_ledger AS l ON l.request_id = k.request_id COLLATE \"C\" "
    "AND l.attempt = k.attempt AND l.started_at_ms = k.started_at_ms";
constexpr std::string_view kKnownUnserved =
    "SELECT k.n FROM unnest(?::text[]) WITH ORDINALITY AS k(request_id, n) "
    "JOIN unserved_request AS u ON u.request_id = k.request_id COLLATE \"C\"";

using RowKey = std::tuple<std::string_view, int, std::int64_t>;

RowKey keyOf(const CallRecord& row)
{
    if (row.unserved != Unserved::None) return {row.requestId, 0, 0};
    return {row.requestId, row.attempt, epochMs(row.startedAt)};
}

} // namespace

PgSink::PgSink(PgConnection& db)
    : m_db(db)
{
}

/// Under a lock that keeps days from being dropped until the rows are in.
Status<> PgSink::ensureDays(std::span<const CallRecord> rows, const Places& places)
{
    std::set<std::int64_t> days;
    for (const std::size_t place : places)
        days.insert(epochMs(rows[place].startedAt) / kDayMs * kDayMs);
    std::string sql = "LOCK TABLE ONLY call_ledger IN ROW EXCLUSIVE MODE";
    for (const std::int64_t day : days)
        sql += "; SELECT weir_ledger_ensure_day(" + std::to_string(day) + ')';
    return m_db.script(sql);
}

Result<std::vector<RowFate>>
PgSink::insert(std::span<const CallRecord> rows, const std::function<void()>& meanwhile)
{
    std::vector<RowFate> fates(rows.size(), RowFate::Inserted);
    Places attempts;
    Places unserved;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int64_t startedMs = epochMs(rows[i].startedAt);
        if (rows[i].unserved != Unserved::None)
            unserved.push_back(i);
        else if (startedMs >= 0 && startedMs <= kLastMs)
            attempts.push_back(i);
        else
            fates[i] = RowFate::Refused;
    }
    if (!attempts.empty()) {
        if (const Status<> ready = ensureDays(rows, attempts); !ready) {
            return tl::unexpected(ready.error());
        }
    }
    Batch served{rows, fates, meanwhile, true};
    if (const Status<> done = insert(served, std::move(attempts)); !done) {
        return tl::unexpected(done.error());
    }
    Batch others{rows, fates, {}, false};
    if (const Status<> done = insert(others, std::move(unserved)); !done) {
        return tl::unexpected(done.error());
    }
    return fates;
}

Status<> PgSink::copy(Batch& batch, const Places& places)
{
    static const std::string kAttempts = copySql("call_ledger", kLedgerColumns);
    static const std::string kUnserved = copySql("unserved_request", kUnservedColumns);
    CopyText text;
    auto place = places.begin();
    const auto nextPiece = [&]() -> std::string_view {
        text.clear();
        for (; place != places.end() && text.size() < kPieceBytes; ++place) {
            const CallRecord& row = batch.rows[*place];
            batch.isAttempts ? bindRow(text, row) : bindUnserved(text, row);
            text.endRow();
        }
        return text.text();
    };
    const auto meanwhile = std::exchange(batch.meanwhile, {});
    const auto copied = m_db.copyIn(batch.isAttempts ? kAttempts : kUnserved, nextPiece, meanwhile);
    if (copied) return {};
    if (copied.error().code == "refused" || copied.error().code == "repeated") {
        if (Status<> back = m_db.script("ROLLBACK TO SAVEPOINT part"); !back) return back;
    }
    return tl::unexpected(copied.error());
}

Status<> PgSink::insert(Batch& batch, Places places)
{
    for (;;) {
        if (places.empty()) return {};
        Status<> copied = copy(batch, places);
        if (copied) return copied;
        if (copied.error().code == "refused") break;
        if (copied.error().code != "repeated") return copied;
        Result<Places> unknown = unknownOf(batch, places);
        if (!unknown) return tl::unexpected(unknown.error());
        // Another key than the ledger's, or one that this transaction cannot see yet.
        if (unknown->size() == places.size()) return copied;
        places = std::move(*unknown);
    }
    if (places.size() == 1) {
        batch.fates[places.front()] = RowFate::Refused;
        return {};
    }
    const auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
    if (Status<> done = insert(batch, Places(places.begin(), middle)); !done) return done;
    return insert(batch, Places(middle, places.end()));
}

/// Those whose key is neither in the database nor earlier in the batch; the others are marked.
Result<PgSink::Places> PgSink::unknownOf(const Batch& batch, const Places& places)
{
    PgArrays keys;
    for (const std::size_t place : places) {
        const CallRecord& row = batch.rows[place];
        keys.bind(row.requestId);
        if (batch.isAttempts) keys.bind(std::int64_t{row.attempt}).bind(epochMs(row.startedAt));
        keys.endRow();
    }
    Statement select(m_db, batch.isAttempts ? kKnownAttempts : kKnownUnserved);
    keys.bindTo(select);
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        const auto known = static_cast<std::size_t>(select.integer(0) - 1);
        batch.fates[places.at(known)] = RowFate::Repeated;
    }
    std::set<RowKey> seen;
    Places unknown;
    for (const std::size_t place : places) {
        if (batch.fates[place] == RowFate::Repeated) continue;
        const bool isFirst = seen.insert(keyOf(batch.rows[place])).second;
        if (isFirst)
            unknown.push_back(place);
        else
            batch.fates[place] = RowFate::Repeated;
    }
    return unknown;
}

} // namespace weir::store
