// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_statement.h"

#include "agent/store/pg.h"
#include "agent/store/pg_error.h"

#include <libpq-fe.h>

#include <array>
#include <charconv>

namespace weir::store {
namespace {

/// `?` becomes $1, $2, … in order; those in quotes stay.
std::string numbered(std::string_view sql)
{
    std::string result;
    result.reserve(sql.size() + 64);
    int count = 0;
    bool isQuoted = false;
    for (const char c : sql) {
        if (c == '\'') isQuoted = !isQuoted;
        if (c == '?' && !isQuoted) {
            result.append("$").append(std::to_string(++count));
        } else {
            result.push_back(c);
        }
    }
    return result;
}

template <class Number>
std::string shortest(Number value)
{
    std::array<char, 32> text{};
    char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

template <class Number>
Number numberIn(std::string_view text)
{
    Number value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

} // namespace

PgStatement::PgStatement(PgConnection& db, std::string_view sql, std::size_t number)
    : m_db(db)
    , m_sql(numbered(sql))
    , m_name("weir_" + std::to_string(number))
{
}

std::optional<std::string>& PgStatement::nextValue()
{
    if (m_bound == m_values.size()) m_values.emplace_back();
    return m_values[m_bound++];
}

void PgStatement::bind(std::string_view text)
{
    std::optional<std::string>& value = nextValue();
    if (!value) value.emplace();
    value->assign(text);
}

void PgStatement::bind(std::int64_t value)
{
    nextValue() = shortest(value);
}

void PgStatement::bind(double value)
{
    nextValue() = shortest(value);
}

void PgStatement::bindNull()
{
    nextValue().reset();
}

Status<> PgStatement::prepare(PgWire& wire)
{
    if (m_preparedOn == m_db.serial()) return {};
    Status<> sent =
        wire.flush(PQsendPrepare(wire.raw(), m_name.c_str(), m_sql.c_str(), 0, nullptr));
    if (!sent) return sent;
    const Result<PgResult> done = wire.finish();
    if (!done) return tl::unexpected(done.error());
    m_preparedOn = m_db.serial();
    return {};
}

Status<> PgStatement::start(Rows rows)
{
    const Result<PgWire*> wire = m_db.wire();
    if (!wire) return tl::unexpected(wire.error());
    m_wire = *wire;
    if (Status<> ready = prepare(*m_wire); !ready) return ready;
    std::vector<const char*> values;
    values.reserve(m_bound);
    for (std::size_t i = 0; i < m_bound; ++i) {
        const std::optional<std::string>& value = m_values[i];
        // The server would take what stands before it for the whole text.
        if (value && value->find('\0') != std::string::npos) {
            return fail("refused", m_db.target().place, "a text holds a byte 0");
        }
        values.push_back(value ? value->c_str() : nullptr);
    }
    const int sent = PQsendQueryPrepared(
        m_wire->raw(),
        m_name.c_str(),
        static_cast<int>(values.size()),
        values.data(),
        nullptr,
        nullptr,
        0);
    if (rows == Rows::Streamed) PQsetSingleRowMode(m_wire->raw());
    if (Status<> flushed = m_wire->flush(sent); !flushed) return flushed;
    if (rows == Rows::Streamed) {
        m_state = State::Streaming;
        return {};
    }
    Result<PgResult> result = m_wire->finish();
    if (!result) return tl::unexpected(result.error());
    m_result = std::move(*result);
    m_state = State::Whole;
    m_db.m_changes = numberIn<std::int64_t>(PQcmdTuples(m_result.get()));
    return {};
}

Result<bool> PgStatement::next(Rows rows)
{
    if (m_state == State::Over) return false;
    if (m_state == State::Ready) {
        if (const Status<> started = start(rows); !started) {
            m_state = State::Over;
            return tl::unexpected(started.error());
        }
        m_row = -1;
    }
    if (m_state == State::Streaming) return nextStreamed();
    return ++m_row < PQntuples(m_result.get());
}

Result<bool> PgStatement::nextStreamed()
{
    // How long the one before was looked at does not count.
    m_wire->restart();
    Result<PgResult> result = m_wire->next();
    if (result && *result && PQresultStatus(result->get()) == PGRES_SINGLE_TUPLE) {
        m_result = std::move(*result);
        m_row = 0;
        return true;
    }
    m_state = State::Over;
    if (!result) return tl::unexpected(result.error());
    if (!*result) return false;
    // Behind the last row comes an end without rows, or an error.
    const bool failed = PQresultStatus(result->get()) != PGRES_TUPLES_OK;
    const Result<PgResult> rest = m_wire->next();
    if (!rest) return tl::unexpected(rest.error());
    if (failed) return tl::unexpected(errorOf(result->get(), m_db.target().place));
    return false;
}

void PgStatement::reset()
{
    // Nobody will read what still comes: another connection is cheaper.
    if (m_state == State::Streaming) m_db.m_wire.reset();
    m_state = State::Ready;
    m_bound = 0;
    m_result.reset();
    m_wire = nullptr;
}

std::string_view PgStatement::cell(int column) const
{
    return {
        PQgetvalue(m_result.get(), m_row, column),
        static_cast<std::size_t>(PQgetlength(m_result.get(), m_row, column))};
}

bool PgStatement::isNull(int column) const
{
    return PQgetisnull(m_result.get(), m_row, column) != 0;
}

std::string PgStatement::text(int column) const
{
    return std::string{cell(column)};
}

std::int64_t PgStatement::integer(int column) const
{
    return numberIn<std::int64_t>(cell(column));
}

double PgStatement::real(int column) const
{
    return numberIn<double>(cell(column));
}

} // namespace weir::store
